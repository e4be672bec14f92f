import Testing

/// §6: anchored queries, their pages and their deletions.
@Suite(.reported) struct AnchorConformance {
    @Test(
        "§6.1 an anchor returns samples saved after it, whatever their dates",
        .covers(
            "HKAnchoredObjectQuery",
            "HKAnchoredObjectQuery.init(queryDescriptors:anchor:limit:resultsHandler:)",
            "HKQueryAnchor"))
    func afterAnchor() async throws {
        try await TestDays.with { days in
            try await days.store.save([weight(70, days.at(12))])
            let first = try await days.store.changes(HKQuantityType(.bodyMass), days.ownSamples)
            try await days.store.save([weight(65, days.at(3))])
            let second = try await days.store.changes(
                HKQuantityType(.bodyMass), days.ownSamples, after: first.anchor)
            #expect(first.added.map { $0.number(.kilogram) } == [70])
            #expect(second.added.map { $0.number(.kilogram) } == [65])
        }
    }

    @Test(
        "§6.1 an unarchived anchor equals the original",
        .covers("HKQueryAnchor"))
    func archivedAnchor() async throws {
        try await TestDays.with { days in
            try await days.store.save([weight(70, days.at(12))])
            let anchor = try await days.store.changes(HKQuantityType(.bodyMass), days.ownSamples)
                .anchor
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: anchor, requiringSecureCoding: true)
            let read = try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQueryAnchor.self, from: data))
            #expect(read == anchor)
            try await days.store.save([weight(65, days.at(13))])
            let page = try await days.store.changes(
                HKQuantityType(.bodyMass), days.ownSamples, after: read)
            #expect(page.added.map { $0.number(.kilogram) } == [65])
        }
    }

    @Test(
        "§6.2 without an anchor, all samples and recent deletions are returned",
        .covers("HKAnchoredObjectQuery", "HKDeletedObject.uuid"))
    func noAnchor() async throws {
        try await TestDays.with { days in
            let (retained, gone) = (weight(70, days.at(1)), weight(71, days.at(2)))
            try await days.store.save([retained, gone])
            try await days.store.delete(gone)
            let page = try await days.store.changes(HKQuantityType(.bodyMass), days.ownSamples)
            #expect(page.added.map(\.uuid) == [retained.uuid])
            #expect(page.deleted.map(\.uuid).contains(gone.uuid))
        }
    }

    @Test(
        "§6.3 the predicate filters the samples", .covers("HKAnchoredObjectQuery"))
    func predicate() async throws {
        try await TestDays.with { days in
            try await days.store.save([weight(70, days.at(1)), weight(71, days.at(12))])
            let morning = HKQuery.predicateForSamples(
                withStart: days.at(0), end: days.at(6), options: .strictStartDate)
            let page = try await days.store.changes(HKQuantityType(.bodyMass), morning)
            #expect(page.added.map { $0.number(.kilogram) } == [70])
        }
    }

    @Test(
        "§6.4 pages until an empty one return every sample once",
        .covers("HKAnchoredObjectQuery"), arguments: [1, 2, 3, 7, 100])
    func paging(limit: Int) async throws {
        try await TestDays.with { days in
            let samples = (0..<7).map { weight(70 + Double($0), days.at($0)) }
            for sample in samples { try await days.store.save(sample) }
            var anchor: HKQueryAnchor?
            var actual: [UUID] = []
            for _ in 0..<20 {
                let page = try await days.store.changes(
                    HKQuantityType(.bodyMass), days.ownSamples, after: anchor, limit: limit)
                #expect(page.added.count <= limit)
                actual += page.added.map(\.uuid)
                anchor = page.anchor
                if page.added.isEmpty && page.deleted.isEmpty { break }
            }
            #expect(actual.count == 7)
            #expect(Set(actual) == Set(samples.map(\.uuid)))
        }
    }

    @Test(
        "§6.5 a sample added and deleted between two anchors is reported only as deleted",
        .covers("HKAnchoredObjectQuery", "HKDeletedObject"))
    func addedAndDeleted() async throws {
        try await TestDays.with { days in
            let start = try await days.store.changes(HKQuantityType(.bodyMass), days.ownSamples)
                .anchor
            let sample = weight(70, days.at(1))
            try await days.store.save(sample)
            try await days.store.delete(sample)
            let page = try await days.store.changes(
                HKQuantityType(.bodyMass), days.ownSamples, after: start)
            #expect(page.added.isEmpty)
            #expect(page.deleted.map(\.uuid) == [sample.uuid])
        }
    }

    @Test(
        "§6.5 a replaced sample is reported as one added and one deleted",
        .covers("HKMetadataKeySyncIdentifier", "HKMetadataKeySyncVersion"))
    func replaced() async throws {
        try await TestDays.with { days in
            let name = UUID().uuidString
            let old = weight(70, days.at(1), metadata: version(1, of: name))
            try await days.store.save(old)
            let start = try await days.store.changes(HKQuantityType(.bodyMass), days.ownSamples)
                .anchor
            let new = weight(71, days.at(1), metadata: version(2, of: name))
            try await days.store.save(new)
            let page = try await days.store.changes(
                HKQuantityType(.bodyMass), days.ownSamples, after: start)
            #expect(page.added.map(\.uuid) == [new.uuid])
            #expect(page.deleted.map(\.uuid) == [old.uuid])
        }
    }

    @Test(
        "§6.6 a deleted object has only its sync identifier and version as metadata",
        .covers("HKDeletedObject.metadata"))
    func deletedMetadata() async throws {
        try await TestDays.with { days in
            let name = UUID().uuidString
            let start = try await days.store.changes(HKQuantityType(.bodyMass), days.ownSamples)
                .anchor
            let metadata = version(3, of: name).merging(["note": "private"]) { a, _ in a }
            let sample = weight(70, days.at(1), metadata: metadata)
            try await days.store.save(sample)
            try await days.store.delete(sample)
            let page = try await days.store.changes(
                HKQuantityType(.bodyMass), days.ownSamples, after: start)
            let metadataOfDeletion = try #require(page.deleted.first?.metadata)
            #expect(metadataOfDeletion[HKMetadataKeySyncIdentifier] as? String == name)
            #expect((metadataOfDeletion[HKMetadataKeySyncVersion] as? NSNumber)?.intValue == 3)
            #expect(metadataOfDeletion.count == 2)
        }
    }

    @Test(
        "§6.7 a query with an update handler reports later changes, each with an anchor",
        .covers("HKAnchoredObjectQuery.updateHandler"))
    func updates() async throws {
        try await TestDays.with { days in
            let first = Recorder<[UUID]>()
            let later = Recorder<(added: [UUID], deleted: [UUID], anchor: HKQueryAnchor?)>()
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bodyMass), predicate: days.ownSamples, anchor: nil,
                limit: HKObjectQueryNoLimit
            ) { _, added, _, _, _ in first.record(added?.map(\.uuid) ?? []) }
            query.updateHandler = { _, added, deleted, anchor, _ in
                later.record((added?.map(\.uuid) ?? [], deleted?.map(\.uuid) ?? [], anchor))
            }
            days.store.execute(query)
            #expect(try await waitFor(1, in: first) == [[]])
            let sample = weight(70, days.at(1))
            try await days.store.save(sample)
            try await waitFor("the sample") { later.entries.contains { $0.added == [sample.uuid] } }
            try await days.store.delete(sample)
            try await waitFor("the deletion") {
                later.entries.contains { $0.deleted == [sample.uuid] }
            }
            days.store.stop(query)
            let anchors = later.entries.compactMap(\.anchor)
            #expect(anchors.count == later.count)
            #expect(Set(anchors).count == anchors.count)
        }
    }

    @Test(
        "§6.8 several types share one anchor and one limit",
        .covers("HKQueryDescriptor", "HKAnchoredObjectQuery"))
    func descriptors() async throws {
        try await TestDays.with { days in
            try await days.store.save([weight(70, days.at(1)), steps(5, days.at(2), days.at(3))])
            try await days.store.save([weight(71, days.at(4))])
            let descriptors = [HKQuantityType(.bodyMass), HKQuantityType(.stepCount)].map {
                HKQueryDescriptor(sampleType: $0, predicate: days.ownSamples)
            }
            let two = try await days.store.changes(descriptors, limit: 2)
            #expect(two.added.count == 2)
            let remaining = try await days.store.changes(descriptors, after: two.anchor)
            #expect(remaining.added.count == 1)
            #expect(Set((two.added + remaining.added).map(\.uuid)).count == 3)
        }
    }

    @Test(
        "§6.9 a query can be stopped several times", .covers("HKHealthStore.stop(_:)"))
    func stopping() async throws {
        try await TestDays.with { days in
            let calls = Recorder<Int>()
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bodyMass), predicate: days.ownSamples, anchor: nil, limit: 0
            ) { _, _, _, _, _ in calls.record(0) }
            query.updateHandler = { _, _, _, _, _ in calls.record(1) }
            days.store.execute(query)
            try await waitFor(1, in: calls)
            days.store.stop(query)
            days.store.stop(query)
            let received = try await otherQueryReceives(weight(70, days.at(1)), days)
            #expect(received)
            #expect(calls.entries == [0])
        }
    }

    @Test(
        "§6.10 handlers run off the main thread and not inside execute",
        .covers("HKHealthStore.execute(_:)"))
    func delivery() async throws {
        try await TestDays.with { days in
            let onMain = Recorder<Bool>()
            let gate = DispatchSemaphore(value: 0)
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.bodyMass), predicate: days.ownSamples, limit: 1,
                sortDescriptors: nil
            ) { _, _, _ in
                gate.wait()
                onMain.record(Thread.isMainThread)
            }
            // If the handler were called synchronously, this line would never return.
            days.store.execute(query)
            gate.signal()
            let threads = try await waitFor(1, in: onMain)
            #expect(threads == [false])
        }
    }

    @Test(
        "§6.10 the first element of results(for:) is the initial result",
        .covers("HKAnchoredObjectQueryDescriptor", "HKAnchoredObjectQueryDescriptor.results(for:)"))
    func asyncResults() async throws {
        try await TestDays.with { days in
            let sample = weight(70, days.at(1))
            try await days.store.save(sample)
            let descriptor = HKAnchoredObjectQueryDescriptor(
                predicates: [
                    .quantitySample(type: HKQuantityType(.bodyMass), predicate: days.ownSamples)
                ], anchor: nil)
            var results = descriptor.results(for: days.store).makeAsyncIterator()
            let first = try #require(try await results.next())
            #expect(first.addedSamples.map(\.uuid) == [sample.uuid])
            let later = weight(71, days.at(2))
            try await days.store.save(later)
            let second = try #require(try await results.next())
            #expect(second.addedSamples.map(\.uuid) == [later.uuid])
        }
    }

    /// Returns whether another query receives a sample. By then the tested query would have too.
    private func otherQueryReceives(_ sample: HKSample, _ days: TestDays) async throws -> Bool {
        let received = Recorder<UUID>()
        let query = HKAnchoredObjectQuery(
            type: sample.sampleType, predicate: days.ownSamples, anchor: nil, limit: 0
        ) { _, added, _, _, _ in for sample in added ?? [] { received.record(sample.uuid) } }
        query.updateHandler = { _, added, _, _, _ in
            for sample in added ?? [] { received.record(sample.uuid) }
        }
        days.store.execute(query)
        try await days.store.save(sample)
        try await waitFor(1, in: received)
        days.store.stop(query)
        return received.entries == [sample.uuid]
    }
}
