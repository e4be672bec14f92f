import Testing

@testable import PortableConformance

/// §8: what an app may read and write, and what it can find out about that.
@Suite struct PermissionRules {
    private let mass = HKQuantityType(.bodyMass)

    private func fixture(_ permissions: Permissions, to app: TestApp = .diary) throws
        -> MemoryFixture
    {
        var settings = FixtureSettings()
        settings.permissions[PermissionKey(app, mass)] = permissions
        return try MemoryFixture(settings)
    }

    @Test(
        "§8.1 reading and sharing are granted separately",
        .covers("HKHealthStore.authorizationStatus(for:)"),
        arguments: [
            // The permissions, whether data of others and its own data are visible, and the status.
            (Permissions.granted, true, true, HKAuthorizationStatus.sharingAuthorized),
            (.sharingOnly, false, true, .sharingAuthorized),
            (.readingOnly, true, false, .sharingDenied), (.denied, false, false, .sharingDenied),
        ])
    func separatePermissions(
        permissions: Permissions, seesOthers: Bool, writes: Bool, status: HKAuthorizationStatus
    ) async throws {
        let fixture = try fixture(permissions)
        try await fixture.save([weight(70, at(1))], as: .ring)
        let store = try await fixture.open(.diary)
        let code = try await code { try await store.save(weight(71, at(2))) }
        #expect(code == (writes ? nil : .errorAuthorizationDenied))
        let found = try await store.samples(mass).map { $0.number(.kilogram) }
        #expect(found == (seesOthers ? [70] : []) + (writes ? [71] : []))
        #expect(store.authorizationStatus(for: mass) == status)
    }

    @Test(
        "§8.2 the status is not determined before a request, and does not cover reading",
        .covers("HKHealthStore.authorizationStatus(for:)"))
    func status() async throws {
        let fixture = try fixture(.readingOnly)
        let store = try fixture.handle(.diary)
        #expect(store.authorizationStatus(for: mass) == .notDetermined)
        try await store.requestAuthorization(toShare: [mass], read: [mass])
        #expect(store.authorizationStatus(for: mass) == .sharingDenied)
        #expect(try fixture.handle(.ring).authorizationStatus(for: mass) == .notDetermined)
    }

    @Test(
        "§8.3 with reading denied, every kind of query returns no data",
        .covers(
            "HKSampleQuery",
            "HKSampleQuery.init(sampleType:predicate:limit:sortDescriptors:resultsHandler:)",
            "HKAnchoredObjectQuery",
            "HKAnchoredObjectQuery.init(queryDescriptors:anchor:limit:resultsHandler:)",
            "HKStatisticsQuery", "HKStatisticsQuery.init(*", "HKSourceQuery",
            "HKSourceQuery.init(sampleType:samplePredicate:completionHandler:)",
            "HKStatisticsCollectionQuery"))
    func hiddenReads() async throws {
        let fixture = try fixture(.sharingOnly)
        try await fixture.save([weight(70, at(1)), weight(80, at(2))], as: .ring)
        let store = try await fixture.open(.diary)
        #expect(try await store.samples(mass).isEmpty)
        #expect(try await store.changes(mass).added.isEmpty)
        #expect(try await store.sources(of: mass).isEmpty)
        #expect(
            try await code { _ = try await store.statistics(mass, nil, .discreteAverage) }
                == .errorNoData)
        let days = try await store.collection(
            mass, nil, .discreteAverage, from: at(0), every: DateComponents(day: 1))
        #expect(days.statistics().isEmpty)
        try await store.save(weight(60, at(3)))
        let own = try await store.statistics(mass, nil, [.discreteAverage, .separateBySource])
        #expect(own.averageQuantity()?.doubleValue(for: .kilogram) == 60)
        #expect(own.sources == [store.source])
    }

    @Test("§8.3 deletions of hidden samples are hidden")
    func hiddenDeletions() async throws {
        let fixture = try fixture(.sharingOnly)
        let sample = weight(70, at(1))
        let ring = try await fixture.open(.ring)
        try await ring.save(sample)
        try await ring.delete(sample)
        #expect(try await fixture.open(.diary).changes(mass).deleted.isEmpty)
        #expect(try await ring.changes(mass).deleted.count == 1)
    }

    @Test("§8.3 revoking sharing hides the app's own data")
    func revokedPermission() async throws {
        let fixture = try fixture(.sharingOnly)
        let store = try await fixture.open(.diary)
        let sample = weight(70, at(1))
        try await store.save(sample)
        #expect(try await store.samples(mass).count == 1)
        try fixture.setPermissions(.denied, of: .diary, for: mass)
        #expect(try await store.samples(mass).isEmpty)
        #expect(store.authorizationStatus(for: mass) == .sharingDenied)
        #expect(try await code { try await store.delete(sample) } == .errorAuthorizationDenied)
    }

    @Test(
        "§8.4 a request succeeds even if everything is denied, and none is needed afterwards",
        .covers(
            "HKHealthStore.statusForAuthorizationRequest(toShare:read:)",
            "HKAuthorizationRequestStatus"))
    func handled() async throws {
        let store = try fixture(.denied).handle(.diary)
        func status() async throws -> HKAuthorizationRequestStatus {
            try await store.statusForAuthorizationRequest(toShare: [mass], read: [mass])
        }
        #expect(try await status() == .shouldRequest)
        let results = Recorder<Bool>()
        store.requestAuthorization(toShare: [mass], read: [mass]) { success, error in
            results.record(success && error == nil)
        }
        #expect(try await waitFor(1, in: results) == [true])
        #expect(try await status() == .unnecessary)
        #expect(
            try await store.statusForAuthorizationRequest(
                toShare: [], read: [HKQuantityType(.height)]) == .shouldRequest)
    }

    @Test(
        "§8.5 correlations and types that only Apple writes can't be requested for sharing",
        .covers("HKHealthStore.requestAuthorization(toShare:read:)"))
    func disallowed() async throws {
        let store = try MemoryFixture().handle(.diary)
        let pressure = HKCorrelationType(.bloodPressure)
        let requests: [(share: Set<HKSampleType>, read: Set<HKObjectType>)] = [
            ([pressure], []), ([], [pressure]), ([HKQuantityType(.appleExerciseTime)], []),
            ([HKQuantityType(.appleSleepingWristTemperature)], []),
        ]
        for (share, read) in requests {
            #expect(
                try await code { try await store.requestAuthorization(toShare: share, read: read) }
                    == .errorInvalidArgument)
            #expect(
                try await code {
                    _ = try await store.statusForAuthorizationRequest(toShare: share, read: read)
                } == .errorInvalidArgument)
        }
        try await store.requestAuthorization(
            toShare: [], read: [HKQuantityType(.appleExerciseTime)])
        #expect(store.authorizationStatus(for: pressure) == .notDetermined)
    }

    @Test("§8.6 without a request, saving and every query fail with code 5")
    func neverRequested() async throws {
        let store = try MemoryFixture().handle(.diary)
        let expected = HKError.Code.errorAuthorizationNotDetermined
        #expect(try await code { try await store.save(weight(70, at(1))) } == expected)
        #expect(try await code { _ = try await store.samples(mass) } == expected)
        #expect(try await code { _ = try await store.changes(mass) } == expected)
        #expect(try await code { _ = try await store.sources(of: mass) } == expected)
        #expect(
            try await code { _ = try await store.statistics(mass, nil, .discreteMin) } == expected)
        let observed = Recorder<HKError.Code?>()
        store.execute(
            HKObserverQuery(sampleType: mass, predicate: nil) { _, _, error in
                observed.record((error as? HKError)?.code)
            })
        #expect(try await waitFor(1, in: observed) == [expected])
    }

    @Test("§8.7 while the device is locked, reads fail and saves succeed")
    func locked() async throws {
        let fixture = try MemoryFixture()
        let store = try await fixture.open(.diary)
        let watched = Recorder<Int>()
        let query = HKAnchoredObjectQuery(type: mass, predicate: nil, anchor: nil, limit: 0) {
            _, _, _, _, _ in watched.record(0)
        }
        query.updateHandler = { _, added, _, _, error in
            if error == nil { watched.record(added?.count ?? -1) }
        }
        store.execute(query)
        try await waitFor(1, in: watched)
        fixture.lock()
        try await store.save(weight(70, at(1)))
        let error = await #expect(throws: HKError.self) { _ = try await store.samples(mass) }
        #expect(error?.code == .errorDatabaseInaccessible)
        #expect(error?.localizedDescription == "Protected health data is inaccessible")
        #expect(
            try await code { _ = try await store.changes(mass) } == .errorDatabaseInaccessible)
        #expect(watched.entries == [0])
        fixture.unlock()
        #expect(try await store.samples(mass).count == 1)
        #expect(try await waitFor(2, in: watched) == [0, 1])
        store.stop(query)
    }

    @Test("§8.9 a limited grant hides samples before its date")
    func limitedHistory() async throws {
        let fixture = try fixture(Permissions(earliest: at(5)))
        try await fixture.save(
            [weight(70, at(1)), weight(71, at(5)), weight(72, at(9))], as: .ring)
        let store = try await fixture.open(.diary)
        #expect(try await store.samples(mass).map { $0.number(.kilogram) } == [71, 72])
        let statistics = try await store.statistics(mass, nil, .discreteMin)
        #expect(statistics.minimumQuantity()?.doubleValue(for: .kilogram) == 71)
    }

    @Test("§8.10 a correlation needs permission for every member type, to save and to read")
    func correlations() async throws {
        let systolic = HKQuantityType(.bloodPressureSystolic)
        var settings = FixtureSettings()
        settings.permissions[PermissionKey(.diary, systolic)] = .denied
        let fixture = try MemoryFixture(settings)
        try await fixture.save([bloodPressure(120, 80, at(1))], as: .ring)
        let store = try await fixture.open(.diary)
        let type = HKCorrelationType(.bloodPressure)
        #expect(try await store.correlations(type).isEmpty)
        #expect(
            try await code { try await store.save(bloodPressure(130, 85, at(2))) }
                == .errorAuthorizationDenied)
        #expect(try await fixture.open(.watch).correlations(type).count == 1)
    }

    @Test("§8.10 a route needs permission for workouts and for routes")
    func routes() async throws {
        for denied in [HKSeriesType.workoutRoute(), HKObjectType.workoutType()] as [HKSampleType] {
            var settings = FixtureSettings()
            settings.permissions[PermissionKey(.diary, denied)] = .denied
            let fixture = try MemoryFixture(settings)
            let workout = HKWorkout(activityType: .running, start: at(10), end: at(11))
            try await fixture.save([workout], as: denied is HKWorkoutType ? .ring : .diary)
            let store = try await fixture.open(.diary)
            let builder = HKWorkoutRouteBuilder(healthStore: store, device: nil)
            await #expect(throws: HKError.self) {
                try await builder.insertRouteData([CLLocation(latitude: 52, longitude: 13)])
                _ = try await builder.finishRoute(with: workout, metadata: nil)
            }
            #expect(try await fixture.open(.watch).samples(HKSeriesType.workoutRoute()).isEmpty)
        }
    }

    @Test("§8.11 a denied type keeps the results of others; a type never requested fails all")
    func mixedGrants() async throws {
        let fixture = try fixture(.denied)
        try await fixture.save([weight(70, at(1)), steps(5, at(2), at(3))], as: .ring)
        let store = try fixture.handle(.diary)
        let count = HKQuantityType(.stepCount)
        try await store.requestAuthorization(toShare: [], read: [mass, count])
        func descriptors(_ types: [HKSampleType]) -> [HKQueryDescriptor] {
            types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }
        }
        let found = try await store.samples(descriptors([mass, count]))
        #expect(found.map(\.sampleType) == [count])
        #expect(
            try await code {
                _ = try await store.samples(descriptors([count, HKQuantityType(.heartRate)]))
            } == .errorAuthorizationNotDetermined)
    }

    @Test("§8.11 a type requested only for sharing can be queried for own data")
    func sharedOnly() async throws {
        let fixture = try MemoryFixture()
        try await fixture.save([weight(70, at(1))], as: .ring)
        let store = try fixture.handle(.diary)
        try await store.requestAuthorization(toShare: [mass], read: [])
        #expect(try await store.samples(mass).isEmpty)
        try await store.save(weight(71, at(2)))
        #expect(try await store.samples(mass).map { $0.number(.kilogram) } == [71])
    }

    @Test(
        "§8.12 a type with per-object authorization can't be requested as a whole",
        .covers("HKObjectType.requiresPerObjectAuthorization()"))
    func perObject() async throws {
        let type = HKObjectType.visionPrescriptionType()
        #expect(type.requiresPerObjectAuthorization())
        #expect(!mass.requiresPerObjectAuthorization())
        let store = try MemoryFixture().handle(.diary)
        #expect(
            try await code { try await store.requestAuthorization(toShare: [], read: [type]) }
                == .errorInvalidArgument)
    }

    @Test(
        "§8.12 objects that were not granted look like missing data, and a later grant is a change",
        .covers("HKHealthStore.requestPerObjectReadAuthorization(for:predicate:)"))
    func grantedObjects() async throws {
        let type = HKObjectType.visionPrescriptionType()
        var settings = FixtureSettings()
        settings.permissions[PermissionKey(.diary, type)] = .denied
        let fixture = try MemoryFixture(settings)
        let prescription = HKVisionPrescription(
            type: .glasses, dateIssued: at(1), expirationDate: nil, device: nil, metadata: nil)
        let ring = try fixture.handle(.ring)
        try await ring.requestAuthorization(toShare: [type], read: [])
        try await ring.save(prescription)
        let store = try fixture.handle(.diary)
        #expect(
            try await code { _ = try await store.samples(type) }
                == .errorAuthorizationNotDetermined)
        try await store.requestPerObjectReadAuthorization(for: type, predicate: nil)
        #expect(try await store.samples(type).isEmpty)
        let hidden = try await store.changes(type)
        #expect(hidden.added.isEmpty)
        try store.setAuthorization(of: type, granting: [prescription.uuid])
        #expect(try await store.samples(type).map(\.uuid) == [prescription.uuid])
        let found = try await store.changes(type, after: hidden.anchor)
        #expect(found.added.map(\.uuid) == [prescription.uuid])
        try await ring.delete(prescription)
        let end = try await store.changes(type, after: found.anchor)
        #expect(end.deleted.map(\.uuid) == [prescription.uuid])
    }

    @Test(
        "§8.13 unset characteristics are notSet; without a request they are an error",
        .covers(
            "HKHealthStore.biologicalSex()", "HKHealthStore.bloodType()",
            "HKHealthStore.dateOfBirthComponents()"))
    func characteristics() async throws {
        let store = try MemoryFixture().handle(.diary)
        #expect(
            try await code { _ = try store.biologicalSex() } == .errorAuthorizationNotDetermined)
        try await store.requestAuthorization(
            toShare: [],
            read: [
                HKCharacteristicType(.biologicalSex), HKCharacteristicType(.bloodType),
                HKCharacteristicType(.dateOfBirth), HKCharacteristicType(.fitzpatrickSkinType),
                HKCharacteristicType(.wheelchairUse),
            ])
        #expect(try store.biologicalSex().biologicalSex == .notSet)
        #expect(try store.bloodType().bloodType == .notSet)
        #expect(try store.fitzpatrickSkinType().skinType == .notSet)
        #expect(try store.wheelchairUse().wheelchairUse == .notSet)
        #expect(try await code { _ = try store.dateOfBirthComponents() } == .errorNoData)
    }

    @Test("§8.13 a request without types is an error")
    func emptyRequest() async throws {
        let store = try MemoryFixture().handle(.diary)
        #expect(
            try await code { try await store.requestAuthorization(toShare: [], read: []) }
                == .errorInvalidArgument)
    }

    @Test("§8.14 data hidden by a revoked permission are not reported as deleted")
    func absence() async throws {
        let fixture = try fixture(.sharingOnly)
        let store = try await fixture.open(.diary)
        try await store.save(weight(70, at(1)))
        let anchor = try await store.changes(mass).anchor
        try fixture.setPermissions(.denied, of: .diary, for: mass)
        let page = try await store.changes(mass, after: anchor)
        #expect(page.added.isEmpty && page.deleted.isEmpty)
        #expect(try await store.changes(mass).deleted.isEmpty)
        try fixture.setPermissions(.sharingOnly, of: .diary, for: mass)
        #expect(try await store.samples(mass).count == 1)
    }
}
