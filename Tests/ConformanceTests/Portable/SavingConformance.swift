import Testing

/// §9: saving, replacing and deleting, and the results of queries.
@Suite(.reported) struct SavingConformance {
    @Test(
        "§9.1 a greater version replaces a sample; a lower or equal one is ignored with success",
        .covers("HKMetadataKeySyncIdentifier", "HKMetadataKeySyncVersion", "HKHealthStore.save(_:)")
    )
    func syncVersions() async throws {
        try await TestDays.with { days in
            let name = UUID().uuidString
            // Version, value, and the value stored afterwards.
            for (number, value, stored) in [(2, 70.0, 70.0), (3, 71, 71), (3, 72, 71), (1, 73, 71)]
            {
                try await days.store.save(
                    weight(value, days.at(1), metadata: version(number, of: name)))
                let found = try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples)
                #expect(found.map { $0.number(.kilogram) } == [stored])
            }
        }
    }

    @Test(
        "§9.2 an external UUID is not unique", .covers("HKMetadataKeyExternalUUID"))
    func externalUUID() async throws {
        try await TestDays.with { days in
            let metadata = [HKMetadataKeyExternalUUID: UUID().uuidString]
            for value in [70.0, 71] {
                try await days.store.save(weight(value, days.at(1), metadata: metadata))
            }
            #expect(
                try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples).count == 2)
        }
    }

    @Test("§9.3 an object can be saved only once", .covers("HKHealthStore.save(_:)"))
    func savedTwice() async throws {
        try await TestDays.with { days in
            let sample = weight(70, days.at(1))
            try await days.store.save(sample)
            #expect(
                try await code { try await days.store.save(sample) } == .errorInvalidArgument)
            // Samples that are equal except for their UUIDs are both stored.
            try await days.store.save(weight(70, days.at(1)))
            #expect(
                try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples).count == 2)
        }
    }

    @Test(
        "§9.4 if one of several objects can't be saved, none is saved",
        .covers("HKHealthStore.save(_:)"))
    func atomic() async throws {
        try await TestDays.with { days in
            let known = weight(70, days.at(1))
            try await days.store.save(known)
            #expect(
                try await code {
                    try await days.store.save([
                        weight(71, days.at(2)), known, weight(72, days.at(3)),
                    ])
                } == .errorInvalidArgument)
            var found = try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples)
            #expect(found.map(\.uuid) == [known.uuid])
            try await days.store.save([weight(71, days.at(2)), weight(72, days.at(3))])
            found = try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples)
            #expect(found.map { $0.number(.gramUnit(with: .kilo)) } == [70, 71, 72])
        }
    }

    @Test(
        "§9.4 the stored copy has the app as its source",
        .covers("HKObject.sourceRevision", "HKSourceRevision.source", "HKSource.default()"))
    func sourceOfStored() async throws {
        try await TestDays.with { days in
            try await days.store.save(weight(70, days.at(1)))
            let found = try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples)
            #expect(found.map(\.sourceRevision.source) == [.default()])
        }
    }

    @Test(
        "§9.7 objects can be deleted singly, together or by a predicate that returns a count",
        .covers("HKHealthStore.delete(_:)", "HKHealthStore.deleteObjects(of:predicate:)"))
    func deletion() async throws {
        try await TestDays.with { days in
            let samples = (0..<6).map { weight(70 + Double($0), days.at($0)) }
            try await days.store.save(samples)
            try await days.store.delete(samples[0])
            try await days.store.delete([samples[1], samples[2]])
            let type = HKQuantityType(.bodyMass)
            #expect(try await days.store.samples(type, days.ownSamples).count == 3)
            #expect(try await days.store.deleteObjects(of: type, predicate: days.ownSamples) == 3)
            #expect(try await days.store.samples(type, days.ownSamples).isEmpty)
        }
    }

    @Test(
        "§9.8 a preferred unit is compatible with its type",
        .covers("HKHealthStore.preferredUnits(for:)"))
    func preferredUnits() async throws {
        try await TestDays.with { days in
            let types: Set = [HKQuantityType(.bodyMass), HKQuantityType(.stepCount)]
            let units = try await days.store.preferredUnits(for: types)
            #expect(Set(units.keys) == types)
            for (type, unit) in units { #expect(type.is(compatibleWith: unit)) }
        }
    }

    @Test(
        "§9.9 dates, values, metadata and the UUID are read back bit-identical",
        .covers(
            "HKObject.uuid", "HKObject.metadata", "HKSample.startDate", "HKSample.endDate",
            "HKQuantity.doubleValue(for:)"))
    func roundTrip() async throws {
        try await TestDays.with { days in
            let start = days.start.addingTimeInterval(1.0 / 3)
            let metadata: [String: Any] = [
                "text": "Frühstück", "number": 0.1, "date": start,
                "quantity": HKQuantity(unit: .pound(), doubleValue: 1.1),
                HKMetadataKeyWasUserEntered: true,
            ]
            let sample = quantity(
                .bodyMass, 154.323_583_529_414_3, .pound(), start, start.addingTimeInterval(0.1),
                metadata: metadata)
            try await days.store.save(sample)
            let found = try #require(
                try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples).first)
            #expect(found.uuid == sample.uuid)
            #expect(found.startDate == start)
            #expect(found.endDate == start.addingTimeInterval(0.1))
            #expect(found.number(.pound()) == 154.323_583_529_414_3)
            #expect(found.metadata?["text"] as? String == "Frühstück")
            #expect((found.metadata?["number"] as? NSNumber)?.doubleValue == 0.1)
            #expect(found.metadata?["date"] as? Date == start)
            #expect(
                (found.metadata?["quantity"] as? HKQuantity)?.doubleValue(for: .pound()) == 1.1)
            #expect((found.metadata?[HKMetadataKeyWasUserEntered] as? NSNumber)?.boolValue == true)
            #expect(found.metadata?.count == 5)
        }
    }

    @Test(
        "§9.9 objects are equal by UUID, types by identifier, units by factor, quantities by value",
        .covers("HKUnit", "HKQuantity", "HKObjectType", "HKQuantity.compare(_:)"))
    func equality() {
        #expect(HKUnit(from: "count/min") == .perMinute)
        #expect(HKUnit(from: "count/min").hash == HKUnit.perMinute.hash)
        #expect(HKUnit.gram() != HKUnit.kilogram)
        #expect(HKQuantityType(.stepCount) == HKObjectType.quantityType(forIdentifier: .stepCount))
        #expect(HKQuantityType(.stepCount) != HKQuantityType(.heartRate))
        let kilo = HKQuantity(unit: .kilogram, doubleValue: 1)
        #expect(kilo == HKQuantity(unit: .gram(), doubleValue: 1000))
        #expect(kilo.compare(HKQuantity(unit: .gram(), doubleValue: 999)) == .orderedDescending)
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(weight(1, date) != weight(1, date))
    }

    @Test(
        "§9.9 the class of a quantity sample follows the aggregation style of its type",
        .covers("HKCumulativeQuantitySample", "HKDiscreteQuantitySample"))
    func classes() async throws {
        try await TestDays.with { days in
            try await days.store.save([weight(70, days.at(1)), steps(5, days.at(1), days.at(2))])
            let sum =
                try await days.store.samples(HKQuantityType(.stepCount), days.ownSamples).first
                as? HKCumulativeQuantitySample
            #expect(sum?.sumQuantity.doubleValue(for: .count()) == 5)
            let discrete =
                try await days.store.samples(HKQuantityType(.bodyMass), days.ownSamples).first
                as? HKDiscreteQuantitySample
            #expect(discrete?.averageQuantity.doubleValue(for: .kilogram) == 70)
            #expect(discrete?.minimumQuantity.doubleValue(for: .kilogram) == 70)
            #expect(discrete?.maximumQuantity.doubleValue(for: .kilogram) == 70)
        }
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(steps(1, date, date) is HKCumulativeQuantitySample)
        #expect(weight(1, date) is HKDiscreteQuantitySample)
    }

    @Test(
        "§9.9 a limit is applied after sorting",
        .covers(
            "HKSampleQuery",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)",
            "HKObjectQueryNoLimit"))
    func limitAndOrder() async throws {
        try await TestDays.with { days in
            try await days.store.save([
                weight(71, days.at(2)), weight(73, days.at(6)), weight(72, days.at(4)),
            ])
            let newest = NSSortDescriptor(
                key: HKSampleSortIdentifierStartDate, ascending: false)
            let found = try await days.store.samples(
                HKQuantityType(.bodyMass), days.ownSamples, limit: 2, sortedBy: [newest])
            #expect(found.map { $0.number(.kilogram) } == [73, 72])
            #expect(HKObjectQueryNoLimit == 0)
            let oldest = HKSampleQueryDescriptor(
                predicates: [
                    .quantitySample(type: HKQuantityType(.bodyMass), predicate: days.ownSamples)
                ], sortDescriptors: [SortDescriptor(\.startDate)], limit: 2)
            #expect(
                try await oldest.result(for: days.store).map { $0.number(.kilogram) } == [71, 72])
        }
    }

    private static let conversions: [(String, String, Double)] = [
        ("kg", "g", 1000), ("count/min", "count/s", 1 / 60.0),
        ("kcal", "J", 4184), ("km", "m", 1000), ("hr", "min", 60), ("mL", "L", 0.001),
    ]

    @Test(
        "§9.10 units convert to compatible units",
        .covers("HKUnit.init(from:)", "HKQuantity.is(compatibleWith:)", "HKUnit.unitString"),
        arguments: Self.conversions)
    func conversion(from: String, to: String, factor: Double) {
        let one = HKQuantity(unit: HKUnit(from: from), doubleValue: 1)
        #expect(one.is(compatibleWith: HKUnit(from: to)))
        measured("1 \(from) in \(to)", one.doubleValue(for: HKUnit(from: to)))
        #expect(abs(one.doubleValue(for: HKUnit(from: to)) / factor - 1) < 1e-12)
        #expect(!one.is(compatibleWith: .lux()))
    }
}
