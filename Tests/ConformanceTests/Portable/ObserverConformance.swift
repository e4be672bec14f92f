import Testing

/// §7 and §8, as far as one app with full permission can test them.
@Suite(.reported) struct ObserverConformance {
    @Test(
        "§7.1 an observer is called for a save and for a deletion, off the main thread",
        .covers(
            "HKObserverQuery",
            "HKObserverQuery.init(sampleType:predicate:updateHandler:)", "HKHealthStore.execute(_:)"
        ))
    func savesAndDeletes() async throws {
        try await TestDays.with { days in
            let calls = Recorder<Bool>()
            let query = HKObserverQuery(
                sampleType: HKQuantityType(.bodyMass), predicate: days.ownSamples
            ) { _, done, error in
                calls.record(error == nil && !Thread.isMainThread)
                done()
            }
            days.store.execute(query)
            try await waitFor(1, in: calls)
            let sample = weight(70, days.at(1))
            try await days.store.save(sample)
            try await waitFor(2, in: calls)
            try await days.store.delete(sample)
            try await waitFor(3, in: calls)
            days.store.stop(query)
            #expect(calls.entries.allSatisfy { $0 })
        }
    }

    @Test(
        "§7.1 an observer of several types receives the changed types",
        .covers("HKObserverQuery", "HKQueryDescriptor"))
    func changedTypes() async throws {
        try await TestDays.with { days in
            let types = Recorder<Set<HKSampleType>>()
            let query = HKObserverQuery(queryDescriptors: [
                HKQueryDescriptor(
                    sampleType: HKQuantityType(.bodyMass), predicate: days.ownSamples),
                HKQueryDescriptor(
                    sampleType: HKQuantityType(.stepCount), predicate: days.ownSamples),
            ]) { _, changed, done, _ in
                types.record(changed ?? [])
                done()
            }
            days.store.execute(query)
            try await waitFor(1, in: types)
            try await days.store.save(steps(5, days.at(1), days.at(2)))
            #expect(try await waitFor(2, in: types).last == [HKQuantityType(.stepCount)])
            days.store.stop(query)
        }
    }

    @Test(
        "§7.2 an observer is called once after its execution, before any change",
        .covers("HKObserverQuery"))
    func initialCall() async throws {
        try await TestDays.with { days in
            let calls = Recorder<Int>()
            let query = HKObserverQuery(
                sampleType: HKQuantityType(.flightsClimbed), predicate: days.ownSamples
            ) { _, done, _ in
                calls.record(1)
                done()
            }
            days.store.execute(query)
            try await waitFor(1, in: calls)
            days.store.stop(query)
            #expect(calls.count == 1)
        }
    }

    @Test(
        "§8.2 the authorization status of a type covers sharing",
        .covers("HKHealthStore.authorizationStatus(for:)", "HKAuthorizationStatus"))
    func sharingStatus() async throws {
        try await TestDays.with { days in
            #expect(
                days.store.authorizationStatus(for: HKQuantityType(.bodyMass)) == .sharingAuthorized
            )
        }
        #expect(
            [HKAuthorizationStatus.notDetermined, .sharingDenied, .sharingAuthorized]
                .map(\.rawValue) == [0, 1, 2])
    }

    @Test(
        "§8.4 types that were already requested need no further request",
        .covers(
            "HKHealthStore.statusForAuthorizationRequest(toShare:read:)",
            "HKHealthStore.requestAuthorization(toShare:read:)"))
    func requestStatus() async throws {
        try await TestDays.with { days in
            let status = try await days.store.statusForAuthorizationRequest(
                toShare: TestDays.writtenTypes, read: Set<HKObjectType>(TestDays.writtenTypes))
            #expect(status == .unnecessary)
        }
    }

    @Test(
        "§8.8 error codes and their domain equal Apple's",
        .covers("HKError", "HKErrorDomain", "HKError.Code"))
    func errorCodes() {
        let codes: [(HKError.Code, Int)] = [
            (.noError, 0), (.errorHealthDataUnavailable, 1), (.errorHealthDataRestricted, 2),
            (.errorInvalidArgument, 3), (.errorAuthorizationDenied, 4),
            (.errorAuthorizationNotDetermined, 5), (.errorDatabaseInaccessible, 6),
            (.errorUserCanceled, 7), (.errorAnotherWorkoutSessionStarted, 8),
            (.errorUserExitedWorkoutSession, 9), (.errorRequiredAuthorizationDenied, 10),
            (.errorNoData, 11), (.errorWorkoutActivityNotAllowed, 12), (.errorDataSizeExceeded, 13),
            (.errorBackgroundWorkoutSessionNotAllowed, 14),
            (.errorNotPermissibleForGuestUserMode, 15),
        ]
        for (code, number) in codes { #expect(code.rawValue == number) }
        #expect(HKErrorDomain == "com.apple.healthkit")
        #expect(HKError.errorDomain == HKErrorDomain)
    }
}
