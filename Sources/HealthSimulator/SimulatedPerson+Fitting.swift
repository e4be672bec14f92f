extension SimulatedPerson {
    /// The same person over as many of the last days as ``records`` suffice for.
    ///
    /// ```swift
    /// try SimulatedPerson(records: 3_000).shortened().days   // some ninety
    /// ```
    /// A single day that holds more records than asked for gets the fewest it can hold.
    ///
    /// - Throws: ``SimulationError`` if the person can't be simulated at all.
    /// - Complexity: O(days), a few times.
    public func shortened() throws(SimulationError) -> SimulatedPerson {
        var person = self
        var days = try Simulation.unfilled(person).calendar.count
        while true {
            let fixed = try person.fixedRecords()
            if fixed <= records { return person }
            if days == 1 {
                person.records = try person.leastRecords()
                return person
            }
            days = min(days - 1, max(1, days * records / fixed), 366)
            person.days = days
        }
    }

    /// The smallest number of records from ``records`` on that the person's days can have.
    ///
    /// What is fixed grows with the number asked for, but slower, so the two meet.
    func leastRecords() throws(SimulationError) -> Int {
        var person = self
        while true {
            let fixed = try person.fixedRecords()
            if fixed <= person.records { return person.records }
            person.records = fixed
        }
    }

    private func fixedRecords() throws(SimulationError) -> Int {
        Quotas(fillingUp: try Simulation.unfilled(self)).fixed
    }
}
