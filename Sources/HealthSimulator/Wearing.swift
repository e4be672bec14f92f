extension Simulation {
    /// When the Watch is worn, from the bed time of the day before to this day's bed time.
    ///
    /// It charges on some whole nights, else for a while in the morning or the evening, and stays
    /// on its charger for a whole day now and then.
    func wearing(_ day: Int, _ hours: WakingHours, _ night: Range<Int>) -> [Range<Int>] {
        guard person.devices != .phone, day >= watchSince else { return [] }
        var random = SeededGenerator(seed: person.seed, stream: .wearing, day: day)
        if random.chance(0.025) { return [] }
        let begin = min(night.lowerBound, hours.wake)
        if random.chance(0.25) {
            let putOn = hours.wake + random.integer(120...2_400)
            return [putOn..<hours.bed]
        }
        let off: Int
        if random.chance(0.6) {
            off = hours.wake + random.integer(300...1_500)
        } else {
            off = hours.bed - random.integer(6_000...9_000)
        }
        return [begin..<off, (off + random.integer(1_800...3_600))..<hours.bed]
    }

    /// Decides which walks the iPhone comes along on: nearly all while the Watch is off.
    func takePhone(on day: Int, _ walks: inout [Walk], _ worn: [Range<Int>]) {
        var random = SeededGenerator(seed: person.seed, stream: .carrying, day: day)
        let forgotten = random.chance(0.03)
        for index in walks.indices {
            let draw = random.unit()
            let walk = walks[index]
            let onWrist = worn.contains { $0.lowerBound <= walk.start && walk.end <= $0.upperBound }
            let share =
                switch walk.kind {
                case .household: 0.6
                case .errand: 0.94
                case .stroll: 0.9
                case .run: 0.4
                }
            walks[index].phone =
                onWrist && person.devices != .phone
                ? !forgotten && draw < share : draw < 0.99
        }
    }
}
