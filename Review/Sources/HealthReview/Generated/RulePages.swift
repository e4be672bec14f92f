// Rendered from Documentation/Review by RulePageTests; don't edit.

/// The rules' pages, by name.
enum RulePages {
    static let all: [String: String] = [
        "absent-as-zero": ###"""
            # absent-as-zero

            Hours or days without a measurement whose mean, minimum, maximum or latest value becomes 0.

            A warning.

            ## Why

            No steps in an hour are 0 steps; no heart rate in an hour is no heart rate. A fallback of 0 draws lines that
            fall to the floor whenever the watch lies on its charger, and every mean over the buckets is too low.

            ## Wrong

            ```swift
            import HealthKit

            func means(_ collection: HKStatisticsCollection, in day: DateInterval, _ unit: HKUnit) -> [Double] {
                var means: [Double] = []
                collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
                    means.append(bucket.averageQuantity()?.doubleValue(for: unit) ?? 0)
                }
                return means
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func means(_ collection: HKStatisticsCollection, in day: DateInterval, _ unit: HKUnit) -> [Double] {
                var means: [Double] = []
                collection.enumerateStatistics(from: day.start, to: day.end) { bucket, _ in
                    guard let mean = bucket.averageQuantity() else { return }
                    means.append(mean.doubleValue(for: unit))
                }
                return means
            }
            ```

            ## When to ignore

            A receiver that takes 0 for missing, by agreement.

            ## What it doesn't see

            Sums, for which 0 is right, and the buckets of `statistics()`, none of which is empty. A variable that begins
            as 0 and is only set where there is a value. Code where something is compared with 0 in the same function, or
            a value of the same name in the target, is silent: it may take the zeros out again.

            """###,
        "age-by-years": ###"""
            # age-by-years

            An age computed as this year minus the year of birth.

            A warning.

            ## Why

            The difference of two years is the age only for people whose birthday has passed this year. For the others
            it is a year too high: half of all people at any time, seen over the year. Heart-rate zones, reference ranges
            and the answer to "are you 18?" are wrong with it.

            ## Wrong

            ```swift
            import HealthKit

            func age(_ store: HKHealthStore) throws -> Int? {
                let birth = try store.dateOfBirthComponents()
                return birth.year.map { _ in Calendar.current.component(.year, from: .now) - birth.year! }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func age(_ store: HKHealthStore) throws -> Int? {
                let birth = try store.dateOfBirthComponents()
                let today = Calendar.current.dateComponents([.year, .month, .day], from: .now)
                return Calendar.current.dateComponents([.year], from: birth, to: today).year
            }
            ```

            ## When to ignore

            Where only the year is known or meant: "turns 40 this year".

            ## What it doesn't see

            A date of birth that isn't read from HealthKit, days divided by 365, and a year that goes through a closure,
            a database or another module. A function that also looks at months or days, or takes a year off, is silent,
            whatever it does with them.

            """###,
        "anchor-before-data": ###"""
            # anchor-before-data

            Finds a new anchor that is stored before the samples and deletions it came with are used, while a task still works
            on them, or before the transaction that holds them is saved.

            A warning.

            ## Why

            The anchor says: all before this is done. If it is stored first and the app is then ended in the background, the
            disk is full, an upload fails or a `guard` returns, the next query starts behind changes that were never taken in.
            They are not delivered again, ever. In the background an app has seconds, so this happens in ordinary use, more to
            people with much data. One notices holes of a few hours or days that no new sync fills, and that vanish when the
            app is installed anew. The other order is harmless: what is delivered twice is recognised by its UUID.

            ## Wrong

            ```swift
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bloodGlucose), predicate: nil, anchor: anchors.load("glucose"),
                limit: HKObjectQueryNoLimit
            ) { [anchors, server] _, added, deleted, newAnchor, error in
                guard let added, let deleted, let newAnchor else { return }
                anchors.save(newAnchor, "glucose")
                Task { try await server.send(added, removed: deleted) }
            }
            ```

            ## Right

            ```swift
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bloodGlucose), predicate: nil, anchor: anchors.load("glucose"),
                limit: HKObjectQueryNoLimit
            ) { [anchors, server] _, added, deleted, newAnchor, error in
                guard let added, let deleted, let newAnchor else { return }
                Task {
                    try await server.send(added, removed: deleted)
                    anchors.save(newAnchor, "glucose")
                }
            }
            ```

            With a database, the anchor belongs into the transaction of its data: both or neither.

            ```swift
            try database.write { transaction in
                try transaction.insert(changes.addedSamples)
                try transaction.remove(changes.deletedObjects.map(\.uuid))
                try transaction.setAnchor(changes.newAnchor, for: "glucose")
            }
            ```

            ## When to ignore

            When losing the changes is right: a first run that only wants to know where the history ends. (A way that stores the
            anchor and returns is silent by itself.)

            ```swift
            // openhealth:ignore anchor-before-data the samples are only counted, the total is asked for anew
            ```

            ## What it doesn't see

            An anchor that is stored after a call with the data whose error nobody looked at (`try?` as a statement, a `catch`
            that only logs) counts too, unless something in the `do` marks success.

            Data and anchor may come together in a type or a tuple of the app's own, awaited or handed to a completion handler, also
            in a `Result`: the lists beside an `HKQueryAnchor` are its data.

            - Storing by a function of another module whose name doesn't say so; a stored property of another object.
            - Whether a function that gets the data has finished when it returns: a completion handler that is called later, a
              queue of uploads.
            - Data and anchor that are handed on together: the function that takes both is looked at instead, if it names the
              types of both.

            """###,
        "availability-never-asked": ###"""
            # availability-never-asked

            A health store is made, and nothing that is reviewed ever asks `HKHealthStore.isHealthDataAvailable()`.

            A note. Most devices that apps run on have health data.

            ## Why

            There are devices without health data: most iPads before iPadOS 17, managed devices where it is restricted, Macs
            that run iPad apps. There each call of the store fails with `errorHealthDataUnavailable`. An app that doesn't ask
            shows an error where it should leave the feature away, and its authorization request brings up nothing. Developers
            test on iPhones.

            ## Wrong

            ```swift
            import HealthKit

            final class Health {
                let store = HKHealthStore()

                func ask() async throws {
                    try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            final class Health {
                let store: HKHealthStore

                init?() {
                    guard HKHealthStore.isHealthDataAvailable() else { return nil }
                    store = HKHealthStore()
                }

                func ask() async throws {
                    try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
                }
            }
            ```

            ## When to ignore

            An app that can't be installed where there is none, for a reason that the files beside the code don't show:
            `// openhealth:ignore availability-never-asked required capability`.

            ## What it sees, and doesn't

            One mention of `isHealthDataAvailable` anywhere makes it silent; the first store that is made is reported, once.
            Packages are left out, since the app that uses them asks; so are apps whose Info.plist requires the `healthkit` device
            capability, and code for a watch, which always has health data (it imports WatchKit, or lies in a folder named for the
            watch). Whether the question comes before the first call, and what the app does with the answer, it doesn't see.

            """###,
        "completion-not-called": ###"""
            # completion-not-called

            Finds ways through code around HealthKit on which a completion handler, a continuation, a promise or a group's
            `leave()` is not called, and ways on which it is called twice.

            A warning. A note where only `self` being gone leads there.

            ## Why

            The caller waits for the answer: a spinner, an `await`, a promise in JavaScript or Dart, a `DispatchGroup`.
            HealthKit fails in ordinary life: the phone is locked, nobody was asked for permission yet, there are no data. The
            way that is forgotten is the one for failure: a `guard` that prints and returns, an `if let` without `else`, a
            `catch` that logs. Then nothing goes on: a screen that loads for ever, a background task that runs out of time, a
            task that is never freed. On the developer's phone, which has data and permission, it doesn't happen.

            Called twice, the caller goes on twice: a list is filled twice, a group is left more often than entered and a reply of
            Flutter or React Native is sent twice, which end the app. The usual reason is a `return` that is missing after the
            error was passed on.

            ## Wrong

            ```swift
            import HealthKit

            func steps(store: HKHealthStore, today: NSPredicate, completion: @escaping (Double) -> Void) {
                let query = HKStatisticsQuery(
                    quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
                    options: .cumulativeSum
                ) { _, statistics, error in
                    guard let sum = statistics?.sumQuantity() else {
                        print(error ?? "no steps")
                        return
                    }
                    completion(sum.doubleValue(for: .count()))
                }
                store.execute(query)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func steps(
                store: HKHealthStore, today: NSPredicate,
                completion: @escaping (Result<Double?, any Error>) -> Void
            ) {
                let query = HKStatisticsQuery(
                    quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
                    options: .cumulativeSum
                ) { _, statistics, error in
                    if let error, (error as? HKError)?.code != .errorNoData {
                        completion(.failure(error))
                        return
                    }
                    completion(.success(statistics?.sumQuantity()?.doubleValue(for: .count())))
                }
                store.execute(query)
            }
            ```

            Better still: `try await HKStatisticsQueryDescriptor(…).result(for: store)` has no completion handler to forget.

            ## When to ignore

            A handler that is called when there is something to tell, and that nobody waits for:
            `// openhealth:ignore completion-not-called called for new data only`.

            ## What it doesn't see

            - Callbacks are recognised by their name (`completion`, `done`, `callback`, `result`, `resolve` and `reject` …) and by
              the types of Flutter, React Native and Capacitor; continuations, a `Future`'s promise, groups and semaphores by what
              makes them.
            - Methods that JavaScript or Dart calls are looked at beside every type that uses HealthKit. One that returns a value
              may leave the answer to its caller.
            - A callback that is stored, captured by an unknown closure or given to a function of another module counts as called.
              Functions of the target that are given it, one-shot handlers, tasks and hops to a queue are followed.
            - Conditions aren't evaluated, except that a handler receives either results or an error. A way behind a flag
              (`didFinish`) counts as called. Loops count as run once.
            - Twice is reported only where no condition lies between the two calls that may exclude it. A continuation that is
              resumed twice is an error of `resumed-twice`.
            - Handlers of observer queries and of updates may call as often as they like, but not a reply of Flutter or React
              Native.

            """###,
        "day-in-gmt": ###"""
            # day-in-gmt

            A day of the person's calendar that is written as a date of GMT: by an `ISO8601DateFormatter`, which is in GMT
            unless its time zone is set, by a `DateFormatter` set to GMT, or as the first ten characters of an ISO 8601
            text.

            A note.

            ## Why

            Midnight in Berlin is ten or eleven in the evening of the day before in GMT. Every total of a day is then kept,
            uploaded or drawn under the day before, for all people east of Greenwich; west of it, what happens in the evening
            goes to the next day. It works on the phones of everybody in London, in winter.

            ## Wrong

            ```swift
            import HealthKit

            func key(of bucket: HKStatistics) -> String {
                let formatter = ISO8601DateFormatter()
                formatter.formatOptions = [.withFullDate]
                return formatter.string(from: bucket.startDate)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func key(of bucket: HKStatistics, in calendar: Calendar) -> String {
                let formatter = ISO8601DateFormatter()
                formatter.formatOptions = [.withFullDate]
                formatter.timeZone = calendar.timeZone
                return formatter.string(from: bucket.startDate)
            }
            ```

            ## When to ignore

            A server that asks for dates of GMT, and turns them into the person's days itself.

            ## What it doesn't see

            Dates that it can't trace to a start of a day, a bucket or a sample; zones that another module sets;
            `Date.FormatStyle` with a time zone; texts that are cut in other ways than `prefix(10)` or at the `T`. A single
            sample whose formatter is set to GMT on purpose is a note. Buckets are left alone in a target whose collection
            is anchored in GMT, which [utc-anchor-date](utc-anchor-date.md) finds.

            """###,
        "delivery-before-observer": ###"""
            # delivery-before-observer

            Background delivery enabled before the observer query is executed that it wakes, in one function.

            A warning.

            ## Why

            A wake is for an observer that runs. Enabled first, delivery can begin while none does: the first change wakes
            the app, no handler is there to call its completion handler, and after three wakes without an answer HealthKit
            stops. It happens seldom and only on devices, so it shows as people whose data "sometimes doesn't update" until
            they open the app.

            ## Wrong

            ```swift
            import HealthKit

            func begin(_ types: [HKSampleType], _ store: HKHealthStore, changed: @escaping () -> Void) {
                for type in types {
                    store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, _ in }
                }
                for type in types {
                    store.execute(
                        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                            changed()
                            completion()
                        })
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func begin(_ types: [HKSampleType], _ store: HKHealthStore, changed: @escaping () -> Void) {
                for type in types {
                    store.execute(
                        HKObserverQuery(sampleType: type, predicate: nil) { _, completion, _ in
                            changed()
                            completion()
                        })
                    store.enableBackgroundDelivery(for: type, frequency: .hourly) { _, error in
                        if let error { print("no delivery of \(type): \(error)") }
                    }
                }
            }
            ```

            Call it at every launch, in the app delegate: a wake starts the app, and nothing else runs.

            ## When to ignore

            Where another observer of the type already runs: `// openhealth:ignore delivery-before-observer runs since
            launch`.

            ## What it sees, and doesn't

            The order in one function, loops and `forEach` included, with the observer executed there or by a function of
            the target that is called there. Different branches, a delivery inside a completion that runs later, and a
            delivery in a function of its own are silent. It doesn't see the order of functions that call each other across
            types, nor whether any of it is done at launch.

            """###,
        "delivery-without-observer": ###"""
            # delivery-without-observer

            Background delivery enabled where no observer query exists in all that is reviewed.

            A warning.

            ## Why

            `enableBackgroundDelivery` succeeds without an observer, and then nothing happens: it is an observer's handler
            that a wake calls. No anchored query, no descriptor's stream and no statistics query takes its place once the
            app is suspended. The developer sees a success and, with the app in front, updates from other queries; the
            person sees data that is a day old.

            ## Wrong

            ```swift
            import HealthKit

            func begin(_ store: HKHealthStore) {
                store.enableBackgroundDelivery(for: HKQuantityType(.stepCount), frequency: .hourly) { _, _ in }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func begin(_ store: HKHealthStore, fetch: @escaping (@escaping () -> Void) -> Void) {
                let steps = HKQuantityType(.stepCount)
                store.execute(
                    HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, error in
                        guard error == nil else { return completion() }
                        fetch(completion)
                    })
                store.enableBackgroundDelivery(for: steps, frequency: .hourly) { _, _ in }
            }
            ```

            The handler learns that something changed, not what: an anchored query with a kept anchor fetches that.

            ## When to ignore

            Where a library that isn't reviewed makes the observer:
            `// openhealth:ignore delivery-without-observer observed by OurSync`.

            ## What it sees, and doesn't

            One mention of `HKObserverQuery` anywhere in the review, in another target too, makes it silent, whatever type
            that one observes. A function that is itself called `enableBackgroundDelivery` only passes the call on and isn't
            reported. The observer of the right type, executed at each launch, is for a person to check, or for the run-time
            diagnostic `backgroundDeliveryWithoutObserver`, which knows the type.

            """###,
        "disallowed-type": ###"""
            # disallowed-type

            A type in an authorization request that HealthKit refuses: a correlation type, or a type that only the system
            writes in the set to share.

            An error.

            ## Why

            HealthKit raises an exception, "Authorization to share the following types is disallowed", which ends the app:
            no error arrives and nothing can be caught. A blood pressure or a meal is asked for by the types it consists
            of. Exercise minutes, stand hours and a few others are computed by Apple's software; apps can only read them.
            The mistake often lies in a table of types that is right for reading and is used for both sets, or in a
            plug-in's look-up by name, where it waits until somebody asks for that name. `enableBackgroundDelivery` refuses
            correlation types too.

            ## Wrong

            ```swift
            import HealthKit

            func authorize(_ store: HKHealthStore) async throws {
                let types: Set<HKSampleType> = [
                    HKQuantityType(.appleExerciseTime), HKCorrelationType(.bloodPressure),
                ]
                try await store.requestAuthorization(toShare: types, read: types)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func authorize(_ store: HKHealthStore) async throws {
                let pressures: Set<HKSampleType> = [
                    HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic),
                ]
                let read: Set<HKObjectType> = [HKQuantityType(.appleExerciseTime)]
                try await store.requestAuthorization(toShare: pressures, read: read.union(pressures))
            }
            ```

            ## When to ignore

            A type that the code takes out again in a way the rule doesn't see.

            ## What it doesn't see

            Sets that are filtered or that lose elements later; types that come from another module. Where a name from elsewhere
            or the enum of a caller selects a type that only the system writes, or any correlation type, the look-up is reported, as a warning, since the
            caller may never ask for it; not where the code tells such types apart. Clinical types, electrocardiograms and other
            read-only types for which nobody has reported the exception aren't in its list.

            """###,
        "duplicate-save": ###"""
            # duplicate-save

            A sample that is saved anew whenever a view appears, the app becomes active or is launched, without a sync
            identifier.

            A warning. Records that are all saved again by a function that syncs or imports are a note.

            ## Why

            HealthKit stores a second sample with the same content as a second sample. Two samples of one source for the same
            time both count, so that each copy raises the day's total: the glass of water, the meditation, the weight of the
            server are there once for each visit to the screen.

            A sample with `HKMetadataKeySyncIdentifier` and `HKMetadataKeySyncVersion` replaces the one that the app saved
            before under the same identifier, and is ignored if the version is the same. `HKMetadataKeyExternalUUID` does
            nothing of the kind: HealthKit doesn't compare it.

            ## Wrong

            ```swift
            import HealthKit
            import SwiftUI

            struct Summary: View {
                let healthStore: HKHealthStore
                let session: HKCategorySample

                var body: some View {
                    Text("Well done")
                        .onAppear { healthStore.save(session) { _, _ in } }
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func sample(of session: UUID, from start: Date, to end: Date) -> HKCategorySample {
                HKCategorySample(
                    type: HKCategoryType(.mindfulSession), value: HKCategoryValue.notApplicable.rawValue,
                    start: start, end: end,
                    metadata: [
                        HKMetadataKeySyncIdentifier: session.uuidString, HKMetadataKeySyncVersion: 1,
                    ])
            }
            ```

            or save where it happens once: at the tap, or at the end of the session.

            ## When to ignore

            When the screen can't appear twice for the same sample.

            ## What it doesn't see

            - A review in which a sync identifier or an external UUID is used anywhere: it is silent.
            - Saves behind a condition other than availability and permission, and those more than three calls away.
            - Workouts, and copies that two devices save of the same event.

            """###,
        "error-as-zero": ###"""
            # error-as-zero

            A read of HealthKit whose error ends as 0 or as an empty list, and is stored, sent or drawn like a day without
            data.

            A warning. Where the value is only shown in the app, a note.

            ## Why

            A read fails for other reasons than missing data. While the phone is locked every read fails with
            `errorDatabaseInaccessible`: in the background, at night, when a widget is drawn. If the failure is turned into 0,
            the 0 replaces the last good value, is uploaded as the day's total or ends a streak. Nobody notices on a
            developer's phone, which is unlocked.

            No data is another case. A statistics query without any samples reports `errorNoData`, or nil when it is awaited;
            0 is right there, after the error was looked at.

            ## Wrong

            ```swift
            import HealthKit

            final class Totals {
                let store: HKHealthStore
                let defaults: UserDefaults

                func refresh(_ today: NSPredicate) {
                    let query = HKStatisticsQuery(
                        quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
                        options: .cumulativeSum
                    ) { [defaults] _, result, _ in
                        let steps = result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
                        defaults.set(steps, forKey: "steps")
                    }
                    store.execute(query)
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            final class Totals {
                let store: HKHealthStore
                let defaults: UserDefaults

                func refresh(_ today: NSPredicate) {
                    let query = HKStatisticsQuery(
                        quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
                        options: .cumulativeSum
                    ) { [defaults] _, result, error in
                        if let error, (error as? HKError)?.code != .errorNoData { return }
                        let steps = result?.sumQuantity()?.doubleValue(for: .count()) ?? 0
                        defaults.set(steps, forKey: "steps")
                    }
                    store.execute(query)
                }
            }
            ```

            An awaited read throws: let the error through to where the value is stored, and store nothing then.

            ## When to ignore

            When the value is compared with the stored one before it replaces it, in a way that the rule doesn't follow.

            ## What it doesn't see

            A failure is followed through `Result`, `try?`, `catch`, completion handlers and continuations; a literal 0 counts
            where the function stores what was read under the same key.

            - Values that leave the target: a completion handler that nobody in the target passes. Answers to JavaScript and Dart
              are seen.
            - An error that is passed to anything but a log counts as reported, wherever it is read.
            - Totals collected outside the handler: only a variable or list that the function returns, or that `notify` reads.
            - Functions that eight others share the name of, and flows of more than five bodies.
            - Whether an empty list that is sent means anything to the server: it is silent.

            """###,
        "fatal-on-failure": ###"""
            # fatal-on-failure

            The app ended by force where HealthKit reports an error or has no data: `fatalError`, `try!`, `samples!`,
            `as!` of a result that is nil, `samples[0]` of an empty list, `sumQuantity()!`.

            A warning. `sumQuantity()!` of statistics that usually have a value is a note.

            ## Why

            Reads fail in ordinary life: on a locked phone, without permission, before a permission was asked for. Then the
            results are nil. And people without a watch, on the first day or after a night without it have no samples, which
            gives an empty list, and statistics without a quantity. What never happens on a developer's phone ends the app on
            theirs, often at every launch.

            ## Wrong

            ```swift
            import HealthKit

            func lastWeight(_ store: HKHealthStore, _ show: @escaping (HKQuantitySample) -> Void) {
                let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1, sortDescriptors: [newest]
                ) { _, samples, _ in
                    show(samples!.first as! HKQuantitySample)
                }
                store.execute(query)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func lastWeight(_ store: HKHealthStore, _ show: @escaping (HKQuantitySample) -> Void) {
                let newest = NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 1, sortDescriptors: [newest]
                ) { _, samples, _ in
                    guard let weight = samples?.first as? HKQuantitySample else { return }
                    show(weight)
                }
                store.execute(query)
            }
            ```

            ## When to ignore

            In a tool of your own that is meant to stop.

            ## What it doesn't see

            - Conditions that it can't evaluate: what ends the app behind one of them is silent.
            - A value kept in a property and unwrapped elsewhere.
            - Types that don't exist: [forced-type](forced-type.md). Statistics options and units that end the app have rules
              of their own.

            """###,
        "forced-type": ###"""
            # forced-type

            A type looked up by an identifier that is made from a text, and unwrapped by force. Identifiers that the code
            names are silent: for them the look-up can't fail.

            A warning.

            ## Why

            `quantityType(forIdentifier:)` and its siblings give nil for an identifier that this system doesn't know: a
            type newer than the phone, a text from a server, a plug-in or a saved setting, a word misspelt. The `!` turns
            each of them into the end of the app, for all who have an older system, and for nobody in the office.

            ## Wrong

            ```swift
            import HealthKit

            func types(named names: [String]) -> [HKQuantityType] {
                names.map {
                    HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0))!
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            let steps = HKQuantityType(.stepCount)

            func types(named names: [String]) -> [HKQuantityType] {
                names.compactMap {
                    HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: $0))
                }
            }
            ```

            What is unknown is left out or told to the caller.

            ## When to ignore

            A text that the app itself wrote, and only ever from the constants of HealthKit.

            ## What it doesn't see

            Identifiers are followed through names, tables, enums' raw values, parameters and lists to what the target writes;
            only a text that isn't shown, or that names no type, is a finding. Not seen: `as!`, implicitly unwrapped properties, a
            look-up in one function whose result is forced in another, and an identifier that is decoded as one or that another
            module passes. A value that is kept under a name and forced later isn't found where an `if` or `guard` before it
            mentions the name. A named identifier's first system is not compared with the app's.

            """###,
        "ignore-unknown-rule": ###"""
            # ignore-unknown-rule

            *warning* — a comment hides a rule that there isn't.

            ```swift
            // openhealth:ignore unlimited-query Heights only.
            ```

            A name with a typing mistake hides nothing, and a rule that was given another name is heeded again without
            anybody having decided so. A comment that names no rule at all is found too: there is no way to hide all of
            them, since the next mistake in the same line would be hidden with the first.

            ## The right shape

            ```swift
            // openhealth:ignore unbounded-query, forced-type Heights only, of a type that has been there since iOS 8.
            ```

            `openhealth-review --rules` lists the names.

            ## When to ignore it

            When several versions of the tool review the same code and one of them is older than the rule.

            """###,
        "ignore-unused": ###"""
            # ignore-unused

            *note* — a comment hides nothing: what it was for is gone.

            ```swift
            // openhealth:ignore unbounded-query Heights only.
            let query = HKSampleQuery(sampleType: height, predicate: lastYear, limit: 20, …)
            ```

            The code was mended, or the comment stands above another statement than it should. Left where it is, it will
            hide the mistake when somebody makes it again.

            ## The right shape

            Remove the comment, or put it where the finding is: behind the code in the finding's line, or by itself above
            the statement. Above a statement it speaks for all of that statement, but not for the statements inside its
            closures and blocks.

            ## When to ignore it

            Nothing is said about rules that the settings turn off: they didn't look.

            """###,
        "ignore-without-reason": ###"""
            # ignore-without-reason

            *warning* — a comment hides findings and doesn't say why.

            ```swift
            // openhealth:ignore unbounded-query
            let query = HKSampleQuery(…)
            ```

            Such a comment hides nothing. A later reader of the code can't tell whether the finding was wrong,
            whether it was looked at, or whether there was no time; the reason is what they need.

            ## The right shape

            ```swift
            // openhealth:ignore unbounded-query A person logs a height once or twice in a life.
            let query = HKSampleQuery(…)
            ```

            The reason stands on the comment's own line, behind the names of the rules.

            ## When to ignore it

            Never: it can be turned off in the settings (`"ignore-without-reason": "off"`), and then the comments still
            hide nothing.

            """###,
        "ignored-deletions": ###"""
            # ignored-deletions

            Finds an anchored query whose added samples are used and whose deletions are not: the parameter is `_`, is
            named and never used, `deletedObjects` of a result is never asked for, or a function that is given deletions
            never uses them.

            A warning; a note where no anchor is kept, and where the samples only feed a value, a text or a count that the next
            ones replace.

            ## Why

            A sample in HealthKit is never changed, only deleted and saved again. A person who corrects a weight, removes a
            duplicate workout, or revokes an app's entries causes deletions, and so does HealthKit itself when
            it condenses old data or replaces a sample by a newer version of the same sync identifier. An anchored query is
            the only query that reports them, and only once: behind its anchor they do not come again, and after a while
            HealthKit forgets them. A copy that drops them keeps what its owner removed, counts replaced samples twice, and
            differs from the Health app by amounts that nobody can explain. Nothing fails, so it is noticed by people, months
            later.

            ## Wrong

            ```swift
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchors.load("weight"),
                limit: HKObjectQueryNoLimit
            ) { [database, anchors] _, samples, _, newAnchor, error in
                guard let samples, let newAnchor else { return }
                database.insert(samples)
                anchors.save(newAnchor, "weight")
            }
            ```

            ## Right

            ```swift
            let query = HKAnchoredObjectQuery(
                type: HKQuantityType(.bodyMass), predicate: nil, anchor: anchors.load("weight"),
                limit: HKObjectQueryNoLimit
            ) { [database, anchors] _, samples, deleted, newAnchor, error in
                guard let samples, let deleted, let newAnchor else { return }
                database.insert(samples)
                database.remove(deleted.map(\.uuid))
                anchors.save(newAnchor, "weight")
            }
            ```

            With `await`, take both parts of the result, or hand it on whole:

            ```swift
            let changes = try await descriptor.result(for: store)
            try database.apply(changes.addedSamples, removing: changes.deletedObjects.map(\.uuid))
            ```

            Identifiers of deletions that you never saw are normal: a sample can come and go between two anchors.

            ## When to ignore

            When nothing is kept: a number on a watch's face during one workout. A query that asks once without an anchor is
            silent, and so is a handler that only takes the newest sample (`.last`, `.first`, `.max(by:)`); a query that goes on
            without an anchor is a note.

            ```swift
            // openhealth:ignore ignored-deletions shown during the workout, never stored
            query.updateHandler = { _, samples, _, _, _ in display(samples) }
            ```

            ## What it doesn't see

            - Deletions that are handed to a function under another name; a tuple of your own whose part is `_`.
            - Results mapped by key path (`.map(\.addedSamples)`), and handlers assigned in another function than the query.
            - A deletion that is only printed counts as dropped.
            - Events from now on (`predicateForSamples(withStart: Date(), …)`) without an anchor, and the first results of a query
              that starts without one, are left out: nothing was shown yet.

            """###,
        "locked-device": ###"""
            # locked-device

            The date of the last sync, or of the last upload, that moves on although the read before it has failed.

            A warning.

            ## Why

            Background delivery wakes an app while the phone is in a pocket, which is locked, and then every read fails with
            `errorDatabaseInaccessible`. Code that takes the failure for an empty result stores the present time as the last
            sync, and the next read starts there: what was recorded in between is never read. It happens at night, to everybody.

            ## Wrong

            ```swift
            import HealthKit

            func sync(_ day: NSPredicate, _ store: HKHealthStore, _ upload: @escaping ([HKSample]) -> Void) {
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.heartRate), predicate: day, limit: 1_000, sortDescriptors: nil
                ) { _, samples, error in
                    if let error { print(error) }
                    upload(samples ?? [])
                    UserDefaults.standard.set(Date(), forKey: "lastSync")
                }
                store.execute(query)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func sync(_ day: NSPredicate, _ store: HKHealthStore, _ upload: @escaping ([HKSample]) -> Void) {
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.heartRate), predicate: day, limit: 1_000, sortDescriptors: nil
                ) { _, samples, error in
                    guard error == nil, let samples else { return }
                    upload(samples)
                    UserDefaults.standard.set(Date(), forKey: "lastSync")
                }
                store.execute(query)
            }
            ```

            Better is an anchor, which comes with the data it belongs to ([timestamp-anchor](timestamp-anchor.md)).

            ## When to ignore

            When the date is only shown, and no query starts at it.

            ## What it doesn't see

            - Marks with other names: it knows words like *sync*, *upload* and *export*, and *last* with *fetch* or *read*.
            - Whether a query starts at the date.
            - Background work that ends with success though it has read nothing, and work that isn't tried again at unlock.

            """###,
        "main-actor-state": ###"""
            # main-actor-state

            State that a screen shows, or a view, changed off the main thread: in a HealthKit callback without a hop, or in
            `async` code of a model that belongs to no actor.

            A warning. A note for `@Observable` models without an actor.

            ## Why

            HealthKit calls handlers and completions on a queue of its own. A `@Published` property changed there makes
            SwiftUI render off the main thread ("Publishing changes from background threads is not allowed"), a table that
            is reloaded there crashes or draws half of its rows, and two writers at once can corrupt an array. It depends on
            timing: on a developer's phone with little data it mostly works, for a person with ten years of it it doesn't.
            In Swift 6 the same code ends the app, where the closure was taken to be the main actor's.

            ## Wrong

            ```swift
            import HealthKit
            import SwiftUI

            final class StepsModel: ObservableObject {
                @Published var steps = 0.0
                let store: HKHealthStore

                init(store: HKHealthStore) { self.store = store }

                func load(_ today: NSPredicate) {
                    store.execute(
                        HKStatisticsQuery(
                            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
                            options: .cumulativeSum
                        ) { [weak self] _, statistics, _ in
                            self?.steps = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
                        })
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit
            import SwiftUI

            final class StepsModel: ObservableObject {
                @Published var steps = 0.0
                let store: HKHealthStore

                init(store: HKHealthStore) { self.store = store }

                func load(_ today: NSPredicate) {
                    store.execute(
                        HKStatisticsQuery(
                            quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: today,
                            options: .cumulativeSum
                        ) { [weak self] _, statistics, _ in
                            guard let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) else { return }
                            Task { @MainActor in self?.steps = sum }
                        })
                }
            }
            ```

            Or await `HKStatisticsQueryDescriptor.result(for:)` in a `@MainActor` type, which needs no hop at all.

            ## When to ignore

            A callback that a wrapper of yours has already brought to the main actor:
            `// openhealth:ignore main-actor-state OurStore calls back on main`.

            ## What it sees, and doesn't

            Handlers of queries, completions of the store and of workout builders, methods of workout delegates, and `sink` on a
            publisher that a handler feeds, also one that is switched to or made of others; from there the target's own functions that are called, and the closures its callers
            gave as completions or stored in a property, four calls deep. Also `async` functions and tasks of models without
            `@MainActor`, unless the project's settings give such code an actor. In them: `@Published`, stored properties of
            `@Observable` and `@MainActor` types, views and outlets by their declared type, `reloadData()`,
            `present(_:animated:)` and the like; one finding for each handler or function. SwiftUI lets any thread change `@State`,
            `@Binding` and `@AppStorage`. Closures handed to functions it doesn't know are silent, as they may run anywhere; so are
            plain properties of plain classes (which need a lock all the same), and whatever asks `Thread.isMainThread`.

            """###,
        "mirror-deletes": ###"""
            # mirror-deletes

            Finds a delete in HealthKit that nobody asked for: inside a function that compares with a local store or is named
            after that (sync, reconcile, mirror, clean-up, duplicates), or inside a query's handler.

            A warning.

            ## Why

            A local copy is behind HealthKit by nature: a weight recorded on the watch arrives there first, a restored phone has
            an empty database, a migration can fail, and a type whose permission was withdrawn reads as empty. If "not in my
            database" leads to a delete, a person's data goes, from every device and from the backup in iCloud, without an undo.
            An app can only delete what it has saved itself, which here means the entries that its owner made in it. The
            opposite error, an entry too many, can be seen and corrected.

            ## Wrong

            ```swift
            func reconcile(_ samples: [HKQuantitySample]) async throws {
                let known = Set(try context.fetch(FetchDescriptor<Weight>()).map(\.uuid))
                for sample in samples where !known.contains(sample.uuid) {
                    try await healthStore.delete(sample)
                }
            }
            ```

            ## Right

            HealthKit wins: what is missing is added here, and what is gone is removed here on the word of a deletion.

            ```swift
            func reconcile(_ changes: HKAnchoredObjectQueryDescriptor<HKQuantitySample>.Result) throws {
                let known = Set(try context.fetch(FetchDescriptor<Weight>()).map(\.uuid))
                for sample in changes.addedSamples where !known.contains(sample.uuid) {
                    context.insert(Weight(sample))
                }
                let gone = Set(changes.deletedObjects.map(\.uuid))
                try context.delete(model: Weight.self, where: #Predicate { gone.contains($0.uuid) })
                try context.save()
            }
            ```

            A delete in HealthKit belongs behind a button: `func deleteWeight(_:)`. To replace an entry, save it anew with the
            same sync identifier and a greater version.

            ## When to ignore

            When a person's request was recorded and is carried out later, such as a delete made while the phone was locked.

            ```swift
            // openhealth:ignore mirror-deletes carries out deletes that a person made offline
            ```

            ## What it doesn't see

            - Deletes behind a function of your own that the reconciliation calls, and stores whose type and name tell nothing.
            - Functions that begin with what a person does (delete, remove, undo, edit, replace) are trusted.

            """###,
        "never-stopped": ###"""
            # never-stopped

            A long-running query that is executed, and that nothing in its type ever stops.

            A warning.

            ## Why

            An observer query, and an anchored, collection or summary query with an update handler, run until
            `stop(_:)`. Each time the screen opens one more is started; all of them go on, each save wakes all of them, and
            each fetches again. One notices it as a battery drained by an app that shows a number, as requests to a server
            sent three times, and as objects that never go away because a handler holds them.

            ## Wrong

            ```swift
            import HealthKit
            import UIKit

            final class StepsController: UIViewController {
                let store: HKHealthStore

                init(store: HKHealthStore) {
                    self.store = store
                    super.init(nibName: nil, bundle: nil)
                }

                override func viewDidLoad() {
                    super.viewDidLoad()
                    let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
                        [weak self] _, completion, _ in
                        self?.reload()
                        completion()
                    }
                    store.execute(query)
                }

                private func reload() {}
            }
            ```

            ## Right

            ```swift
            import HealthKit

            final class StepsFeed {
                private let store: HKHealthStore
                private var query: HKObserverQuery?

                init(store: HKHealthStore) { self.store = store }

                func start(_ changed: @escaping () -> Void) {
                    guard query == nil else { return }
                    let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
                        _, completion, _ in
                        changed()
                        completion()
                    }
                    self.query = query
                    store.execute(query)
                }

                deinit { if let query { store.stop(query) } }
            }
            ```

            ## When to ignore

            A type of which there is one as long as the app runs, where the code doesn't show it:
            `// openhealth:ignore never-stopped made once, at launch`.

            ## What it sees, and doesn't

            Where the query goes: variables, properties, arrays, dictionaries, and every `stop` that can mean it, in the
            type's extensions and from other types. A `stop` of another query doesn't count. Silent: queries that are
            returned or handed to a function, types kept in a static or global variable or by the app and its delegate, and
            bridges to other languages, unless each call of their method or of a C function, also of one that calls the
            method of another class, or each `viewWillAppear`, starts one more query beside the last; observers in a target that enables background delivery (but not a screen's, and not a
            SwiftUI view's, whichever type enables it), static functions, streams of descriptors (their task ends them). It
            doesn't see whether a `stop` is reached, nor, elsewhere, that a query is started twice before it.

            """###,
        "newest-sample": ###"""
            # newest-sample

            The newest sample, taken from a query that returns the oldest first, in any order, or without the newest.

            A warning.

            ## Why

            HealthKit returns samples in the order of the sort descriptors, and the limit keeps the first ones of it. An ascending
            order with a limit of one is the first sample that was ever recorded; without sort descriptors the order isn't
            defined, so that the value is right on one phone and years old on another. An ascending order with a limit of 500
            shows the first days of a range and never arrives at today. An anchored query without an anchor reads every sample
            there is to show one of them.

            ## Wrong

            ```swift
            import HealthKit

            func latestWeight(store: HKHealthStore) async throws -> Double? {
                let samples = try await HKSampleQueryDescriptor(
                    predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
                    sortDescriptors: [SortDescriptor(\.startDate)], limit: 1
                ).result(for: store)
                return samples.first?.quantity.doubleValue(for: .gramUnit(with: .kilo))
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func latestWeight(store: HKHealthStore) async throws -> Double? {
                let samples = try await HKSampleQueryDescriptor(
                    predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
                    sortDescriptors: [SortDescriptor(\.startDate, order: .reverse)], limit: 1
                ).result(for: store)
                return samples.first?.quantity.doubleValue(for: .gramUnit(with: .kilo))
            }
            ```

            ## When to ignore

            Where the oldest sample is what is shown under a name that says otherwise: `// openhealth:ignore newest-sample the
            first reading after the last dose`.

            ## What it sees, and doesn't

            `first`, `last` and conversions of them, of a handler's samples, a descriptor's result, or what a function of the
            target returns, passes to its completion handler or its continuation, with the order and the limit as the callers give
            them. That the newest is meant is known by names (`latest`, `newest`, `mostRecent`, `last`, `current`), or by a limit
            of one without a bounding predicate whose value is shown. Names with `first`, `oldest` or `earliest` are left alone.

            A limit of up to 1,000 with an ascending order is reported for types with hundreds of samples a day, unless the code
            reads pages, one day, a night or a workout. Orders by something other than dates, lists that are sorted afterwards,
            and samples picked by an index aren't seen.

            """###,
        "no-flow": ###"""
            # no-flow

            Samples of menstrual flow that are counted as days of bleeding without a look at their value.

            A warning.

            ## Why

            A sample of menstrual flow can say that there was none: people record it to keep the calendar complete, and some
            apps write it for every day. If each sample counts as bleeding, periods last too long, cycles begin on
            the wrong day and the next one is predicted for another.

            ## Wrong

            ```swift
            import HealthKit

            func bleedingDays(_ store: HKHealthStore, in period: NSPredicate) async throws -> [Date] {
                let query = HKSampleQueryDescriptor(
                    predicates: [.categorySample(type: HKCategoryType(.menstrualFlow), predicate: period)],
                    sortDescriptors: [SortDescriptor(\.startDate)])
                return try await query.result(for: store).map(\.startDate)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func bleedingDays(_ store: HKHealthStore, in period: NSPredicate) async throws -> [Date] {
                let query = HKSampleQueryDescriptor(
                    predicates: [.categorySample(type: HKCategoryType(.menstrualFlow), predicate: period)],
                    sortDescriptors: [SortDescriptor(\.startDate)])
                return try await query.result(for: store)
                    .filter { $0.value != HKCategoryValueMenstrualFlow.none.rawValue }
                    .map(\.startDate)
            }
            ```

            ## When to ignore

            A list of all entries, with those without flow among them.

            ## What it doesn't see

            A target that reads the value anywhere in code about menstruation is silent, also where that is only for
            another screen. Queries for several types, samples chosen by the mark of a cycle's first day, and queries whose
            type the source doesn't settle are silent too.

            """###,
        "observer-completion": ###"""
            # observer-completion

            Finds a way through an observer query's handler on which its completion handler is neither
            called nor handed on, and a call that comes before the work which the wake starts has ended.

            A warning; a note where the work that goes on is short and stays on the device: a query for a screen, a notice.

            ## Why

            With background delivery HealthKit wakes an app, calls the observer's handler and waits for the completion handler.
            If it isn't called, HealthKit tries again, less and less often, and after the third time it stops to wake the app.
            The way that is forgotten is the one that leaves early: an error, `self` that is gone, nothing to do, a `try` that
            throws in a task. So three updates with a bad network are enough, and from then on the app shows new data only
            while it is open. Nothing fails and nothing is reported; people write that the app "stopped syncing".

            ## Wrong

            ```swift
            let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
                [weak self] _, completionHandler, error in
                if let error {
                    print(error)
                    return
                }
                Task {
                    try await self?.sync()
                    completionHandler()
                }
            }
            ```

            ## Right

            ```swift
            /// Passes the completion handler to a task. HealthKit permits calling it on any thread.
            struct Wake: @unchecked Sendable {
                let finish: HKObserverQueryCompletionHandler
            }

            let query = HKObserverQuery(sampleType: HKQuantityType(.stepCount), predicate: nil) {
                [weak self] _, completionHandler, error in
                let wake = Wake(finish: completionHandler)
                Task { [weak self] in
                    defer { wake.finish() }
                    if let error { return print(error) }
                    try await self?.sync()
                }
            }
            ```

            The completion handler's type is not `Sendable`, so in Swift 6 mode a task that captures it does not compile. The
            wrapper makes that possible, and is correct because the handler may be called on any thread.

            Call it when the work is done, not before: HealthKit may put the app to sleep at once, in the middle of a query or an
            upload. `self?.sync(completionHandler)` loses it when `self` is gone; unwrap `self` first. Where the wake starts an
            anchored query, that is in the query's handler, once the new anchor is saved. A wake that comes before reads from the
            same anchor and is given the same changes again, so read once at a time: note that a reading goes on, and read once
            more after it if a wake came meanwhile. At run time the finding `changesReadTwice` says that it happened.

            ## When to ignore

            When the observer only serves an open screen and background delivery is never enabled. Calling it is one word,
            though.

            ```swift
            // openhealth:ignore observer-completion foreground only, the app has no background delivery
            ```

            ## What it doesn't see

            - What a function does that the completion handler is handed to, or a closure given to a function that isn't known
              to run it once; of `Task`, `DispatchQueue.async`, `perform` and the handlers of one-shot queries it looks inside.
            - Conditions: each branch counts as possible, and each loop as run at least once.
            - Whether it is called twice.
            - Too early is a call on a path that also starts a one-shot query, a `Task` that awaits work, a `dataTask` or an
              operation, directly or in functions of the app, where the app enables background delivery. Code that waits
              (`semaphore.wait()`, `beginBackgroundTask`), notifications and streams count as fine. Without background delivery
              only an anchored query with a kept anchor counts, unless a lock, a queue, a flag or an `await` there takes turns.

            """###,
        "outside-unit": ###"""
            # outside-unit

            `HKUnit(from:)` with a text that the code doesn't contain: from a bridge, a server, a file or stored settings.

            A warning.

            ## Why

            The initializer isn't failable. HealthKit raises an exception for a text it can't read, which Swift can't catch, so
            that a spelling on the other side (`bpm`, `mg/dl`, `KG`) ends the app, at each start if the text is stored. A table of
            the units the app knows turns an unknown one into an error that can be answered.

            ## Wrong

            ```swift
            import HealthKit

            func unit(of message: [String: Any]) -> HKUnit {
                HKUnit(from: message["unit"] as? String ?? "count")
            }
            ```

            ## Right

            ```swift
            import HealthKit

            let units: [String: HKUnit] = [
                "count": .count(), "kg": .gramUnit(with: .kilo),
                "bpm": HKUnit.count().unitDivided(by: .minute()),
            ]

            func unit(of message: [String: Any]) -> HKUnit? {
                guard let symbol = message["unit"] as? String else { return nil }
                return units[symbol]
            }
            ```

            ## When to ignore

            Where a check that the code doesn't show comes first: `// openhealth:ignore outside-unit the schema has an enum`.

            ## What it sees, and doesn't

            Elements of dictionaries that the target doesn't write (`arguments["unit"]`), parameters of functions with an
            Objective-C name, `getString`, `UserDefaults` and `@AppStorage`, and texts of decoded types that the target never
            makes itself; through variables, functions and their callers.

            It is silent about enums' raw values, literals ([unit-string](unit-string.md) reads those), tables of the target,
            texts that a `switch`, `contains` or a function such as `validate` checks before, and closures given to something that
            catches exceptions. Parameters that nobody in the target fills are left alone.

            """###,
        "query-per-day": ###"""
            # query-per-day

            A statistics query that a loop starts for each day, hour or week.

            A note.

            ## Why

            One `HKStatisticsCollectionQuery` over the whole range answers with all days, from one pass over the data, and splits
            what crosses midnight between both days. A query for each day goes to the health daemon thirty times for a month, each
            with a start-up cost, and counts a sample that crosses midnight in full on both days. Where completion handlers append
            to a list, the days also stand in the order in which the queries end: that is a warning.

            ## Wrong

            ```swift
            import HealthKit

            func week(store: HKHealthStore) async throws -> [Double] {
                let today = Calendar.current.startOfDay(for: .now)
                var values: [Double] = []
                for offset in 0..<7 {
                    let day = Calendar.current.date(byAdding: .day, value: -offset, to: today)
                    let end = day.flatMap { Calendar.current.date(byAdding: .day, value: 1, to: $0) }
                    let range = HKQuery.predicateForSamples(withStart: day, end: end)
                    let statistics = try await HKStatisticsQueryDescriptor(
                        predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
                        options: .cumulativeSum
                    ).result(for: store)
                    values.append(statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0)
                }
                return values
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func week(store: HKHealthStore) async throws -> [Date: Double] {
                let today = Calendar.current.startOfDay(for: .now)
                let start = Calendar.current.date(byAdding: .day, value: -6, to: today) ?? today
                let range = HKQuery.predicateForSamples(withStart: start, end: nil)
                let days = try await HKStatisticsCollectionQueryDescriptor(
                    predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
                    options: .cumulativeSum, anchorDate: today, intervalComponents: DateComponents(day: 1)
                ).result(for: store)
                return days.statistics().reduce(into: [:]) { all, day in
                    all[day.startDate] = day.sumQuantity()?.doubleValue(for: .count())
                }
            }
            ```

            ## When to ignore

            Where the ranges differ in length or overlap, so that no collection has them: `// openhealth:ignore query-per-day
            shifts of a plan, each with its own length`.

            ## What it sees, and doesn't

            `for`, `while`, `forEach` and `map` over ranges, `stride` and lists of dates whose body computes dates, with a
            statistics query, a sample query of a cumulative type, or a call of the target's function that executes one, up to
            three calls deep; also in tasks of a task group. One finding stands in each function.

            It is silent about loops over types or workouts, about nights, and about up to three fixed days. It doesn't see
            functions that call themselves for the next day.

            """###,
        "read-status": ###"""
            # read-status

            `authorizationStatus(for:)` asked in order to know whether something may be read.

            A warning.

            ## Why

            The status is about sharing only. No app can determine whether reading was allowed, since the refusal itself would
            say something about a person. For a type that is only read the status stays at `.notDetermined` or says
            `.sharingDenied` even where everything may be read: an app that gates its queries on it shows nothing, to people
            who allowed it all. Those who once also asked to share don't notice.

            ## Wrong

            ```swift
            import HealthKit

            func heartRates(_ store: HKHealthStore, _ today: NSPredicate, show: @escaping ([HKSample]) -> Void) {
                let type = HKQuantityType(.heartRate)
                guard store.authorizationStatus(for: type) == .sharingAuthorized else { return show([]) }
                store.execute(
                    HKSampleQuery(sampleType: type, predicate: today, limit: 100, sortDescriptors: nil) {
                        _, samples, _ in show(samples ?? [])
                    })
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func heartRates(_ store: HKHealthStore, _ today: NSPredicate) async throws -> [HKQuantitySample] {
                let type = HKQuantityType(.heartRate)
                if try await store.statusForAuthorizationRequest(toShare: [], read: [type]) == .shouldRequest {
                    try await store.requestAuthorization(toShare: [], read: [type])
                }
                return try await HKSampleQueryDescriptor(
                    predicates: [.quantitySample(type: type, predicate: today)], sortDescriptors: [], limit: 100
                ).result(for: store)
            }
            ```

            An empty list is the answer then, for "denied" and for "never measured" alike. Before a save the status is right:
            `guard store.authorizationStatus(for: weight) == .sharingAuthorized`.

            ## When to ignore

            Where the type is shared by code that isn't reviewed: `// openhealth:ignore read-status OurWriter shares it`.

            ## What it sees, and doesn't

            Types that no request of the target asks to share and no code writes, where all of its requests can be read; for a
            function whose type is a parameter, the types that all its calls pass; the types of a list that is only read;
            functions and variables named for reading (`canRead…`); an `if`, `guard` or `switch` on the status by which the same
            function queries and saves nothing, also through a function, property or variable that keeps it, and also for types
            that are shared too; methods of a bridge that tell JavaScript or Dart by it whether there is permission, without a
            word about writing; a branch for reading (`if mode == 0`, `case "read":`); loops over a list that is named for reading. Silent: a comparison with `.notDetermined`, which
            says whether to ask; other uses for types that are asked to be shared, types the code doesn't tell, statuses of
            cameras, calendars, contacts and places. It doesn't see a status that is kept in a stored property and read by another
            function.

            """###,
        "required-metadata": ###"""
            # required-metadata

            A sample without the metadata that HealthKit requires for its type: menstrual flow without
            `HKMetadataKeyMenstrualCycleStart`, insulin without `HKMetadataKeyInsulinDeliveryReason`.

            An error.

            ## Why

            HealthKit checks these keys when it validates the sample and raises an exception, which ends the app. Often
            the key is set in one case only: `true` on the first day of a cycle, and nothing on the others, so that the
            app ends on the second day.

            ## Wrong

            ```swift
            import HealthKit

            func flow(_ value: HKCategoryValueMenstrualFlow, on day: DateInterval, isFirst: Bool) -> HKSample {
                var metadata: [String: Any] = [:]
                if isFirst { metadata[HKMetadataKeyMenstrualCycleStart] = true }
                return HKCategorySample(
                    type: HKCategoryType(.menstrualFlow), value: value.rawValue, start: day.start, end: day.end,
                    metadata: metadata)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func flow(_ value: HKCategoryValueMenstrualFlow, on day: DateInterval, isFirst: Bool) -> HKSample {
                HKCategorySample(
                    type: HKCategoryType(.menstrualFlow), value: value.rawValue, start: day.start, end: day.end,
                    metadata: [HKMetadataKeyMenstrualCycleStart: isFirst])
            }
            ```

            ## When to ignore

            A function that is only called in the one case in which the key is set.

            ## What it doesn't see

            Types that the source doesn't settle: a property that is computed by a `switch`, a type from a server. Metadata
            that is merged, changed by another function, or passed through two functions counts as complete.

            """###,
        "resumed-twice": ###"""
            # resumed-twice

            Finds a continuation that is resumed from a handler which HealthKit calls more than once, with nothing that keeps it
            from a second time, and code that goes on after it resumed and resumes again.

            An error: it ends the app.

            ## Why

            A continuation must be resumed once; the second time a checked one ends the app and an unsafe one corrupts it. An
            observer's handler, an update handler and the handlers of routes, series and heartbeats are called again and again:
            a route arrives in batches, the last with `done`. On a short walk there is one batch, and all is well; the crash
            affects people with long routes, or at the second sample after the screen was opened. And what was awaited holds only
            the first part.

            ## Wrong

            ```swift
            func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
                try await withCheckedThrowingContinuation { continuation in
                    store.execute(
                        HKWorkoutRouteQuery(route: route) { _, locations, done, error in
                            if let error { return continuation.resume(throwing: error) }
                            continuation.resume(returning: locations ?? [])
                        })
                }
            }
            ```

            ## Right

            ```swift
            func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
                var all: [CLLocation] = []
                for try await location in HKWorkoutRouteQueryDescriptor(route).results(for: store) {
                    all.append(location)
                }
                return all
            }
            ```

            or, with the callback, collect and resume at the end:

            ```swift
            if let error { return continuation.resume(throwing: error) }
            all.append(contentsOf: locations ?? [])
            if done { continuation.resume(returning: all) }
            ```

            For what never ends, such as an observer, use `AsyncStream` and `yield`.

            ## When to ignore

            When something else makes sure of it that the rule doesn't know, such as a type of yours that resumes once.

            ```swift
            // openhealth:ignore resumed-twice the gate lets the first call through only
            ```

            ## What it doesn't see

            - Continuations kept in a property, and those resumed by a function that the handler calls.
            - A second call behind a condition that may exclude it; HealthKit gives either results or an error, so
              `if let error { … }` and `guard let samples else { return }` exclude each other.
            - A test of `done`, of a flag or any state outside of the handler, a query that is stopped in the handler, or an
              error's branch counts as a guard, however it is written; whether a flag is safe from two threads is not looked at.
            - Completion handlers that are called twice, and continuations that are never resumed: those are
              [completion-not-called](completion-not-called.md).

            """###,
        "running-sum": ###"""
            # running-sum

            Finds a live workout's `sumQuantity()` that is added to a total at each update.

            An error: the total is wrong after the second update.

            ## Why

            The statistics of a live workout builder cover the whole workout so far. Each update brings the new total, not what is
            new: after 10, 20 and 30 kilocalories a total with `+=` shows 60. On a run of an hour that is a thousand times too
            much.

            ## Wrong

            ```swift
            import HealthKit

            final class Totals: NSObject {
                var energy = 0.0

                func workoutBuilder(
                    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
                ) {
                    let statistics = workoutBuilder.statistics(for: HKQuantityType(.activeEnergyBurned))
                    energy += statistics?.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            final class Totals: NSObject {
                var energy = 0.0

                func workoutBuilder(
                    _ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>
                ) {
                    let statistics = workoutBuilder.statistics(for: HKQuantityType(.activeEnergyBurned))
                    energy = statistics?.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
                }
            }
            ```

            ## When to ignore

            When the statistics are those of a time that begins anew at each update:
            `// openhealth:ignore running-sum statistics of the last lap`.

            ## What it sees, and doesn't

            `+=` and `total = total + x` on members, also of elements and of other objects, in
            `workoutBuilder(_:didCollectDataOf:)` and in functions that only it calls, up to three calls deep. It is silent for
            local totals, for totals that the function sets before it adds, for differences (`sum - last`), for queries and
            collections inside, and for functions that somebody else calls too. It doesn't see timers that add, nor totals that
            pass through a publisher or another module.

            """###,
        "saved-though-failed": ###"""
            # saved-though-failed

            Data that is shown or recorded as saved although saving it to HealthKit may have failed: "Saved" beside the call
            instead of after its success, an error that is only printed, a sheet that closes in any case.

            A warning. A `try?` that drops the error of a save, without anything that says saved, is a note.

            ## Why

            A save fails where sharing the type was refused or never asked for, where a required metadata key is missing, or
            where one sample of a batch may not be written: then none is. `finishWorkout` gives nil while the device is locked.
            People who read "Saved" don't enter the value again, and learn in weeks that it isn't there.

            ## Wrong

            ```swift
            import HealthKit

            func log(_ sample: HKQuantitySample, in store: HKHealthStore, _ done: @escaping (Bool) -> Void) {
                store.save(sample) { _, error in
                    if let error { print("not saved: \(error)") }
                    done(true)
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func log(_ sample: HKQuantitySample, in store: HKHealthStore, _ done: @escaping (Bool) -> Void) {
                store.save(sample) { success, _ in
                    done(success)
                }
            }
            ```

            and, where the value is typed in, show why it wasn't saved and keep what was typed.

            ## When to ignore

            When something later notices what is missing and saves it again.

            ## What it doesn't see

            A publisher that saves counts where `sink` or `replaceError` drops its failure after a member has changed
            (`total += amount`); without such a change it is a note.

            - Words other than the usual: it knows names like `isSaved` and `success`, texts with "saved" or "logged",
              `dismiss()`, and `true` or `.success` for the caller.
            - An error that is passed to anything but a log counts as reported, and so does a text that says so.
            - Claims behind conditions that it can't evaluate, and records marked in a database.

            """###,
        "shared-anchor": ###"""
            # shared-anchor

            Finds one stored anchor (a property, a key, a file) given to queries of different types, or to a query whose
            type changes from call to call; and a key that is made of a class's name (`type(of: sampleType)`, which is
            `HKQuantityType` for all quantities) or of an enum's member that is the same for cases with different types.

            A warning.

            ## Why

            An anchor is a place in the order in which things were saved, and belongs to the query that returned it. When
            steps and workouts share a variable, the query that ran last moves the place for both: what the other has not
            read yet lies behind it and is never delivered. Apple leaves open what an anchor means to another type at all. The
            first sync works and tests with one type work; then data is missing, now of one type and now of another, and
            permanently, since nothing asks for it again.

            ## Wrong

            ```swift
            final class Sync {
                private var anchor: HKQueryAnchor?

                func start(_ store: HKHealthStore) {
                    for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate)] {
                        store.execute(
                            HKAnchoredObjectQuery(
                                type: type, predicate: nil, anchor: anchor, limit: HKObjectQueryNoLimit
                            ) { [weak self] _, added, deleted, newAnchor, _ in
                                self?.apply(added, deleted)
                                self?.anchor = newAnchor
                            })
                    }
                }
            }
            ```

            ## Right

            Keep one for each type; the type's identifier makes a good key.

            ```swift
            final class Sync {
                private var anchors: [String: HKQueryAnchor] = [:]
                private let lock = NSLock()

                func start(_ store: HKHealthStore) {
                    for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate)] {
                        store.execute(
                            HKAnchoredObjectQuery(
                                type: type, predicate: nil,
                                anchor: lock.withLock { anchors[type.identifier] },
                                limit: HKObjectQueryNoLimit
                            ) { [weak self] _, added, deleted, newAnchor, _ in
                                self?.apply(added, deleted)
                                self?.lock.withLock { self?.anchors[type.identifier] = newAnchor }
                            })
                    }
                }
            }
            ```

            Handlers come on queues of their own, hence the lock; an actor does as well.

            ## When to ignore

            When only one of the queries ever runs in an installation.

            ```swift
            // openhealth:ignore shared-anchor a build reads either steps or wheelchair pushes, never both
            ```

            ## What it doesn't see

            - An anchor that is loaded apart and saved under one key: what is read decides, not what is written.
            - Keys and types that are made while the app runs; functions with several of one name.
            - One query for several types with one anchor is no matter of this rule but of
              [types-in-one-query](types-in-one-query.md).

            """###,
        "sleep-sum": ###"""
            # sleep-sum

            Sleep time made of samples that aren't sleep, of two trackers at once, or without the stages.

            A warning.

            ## Why

            A night is many samples: time in bed from the phone, stages from the watch, and the same night once more from a
            ring or an app. They overlap, and a sample query returns all of them. Five mistakes change the hours:

            - *Time in bed as sleep.* `inBed` (0) lies over the stages: both together are up to twice the night.
            - *Time awake as sleep.* `awake` (2) is a stage like the others, of half an hour in most nights.
            - *All sources.* Lengths that are added without merging overlapping intervals count a night for each tracker.
            - *Only the old value.* Since iOS 16 Apple Watch writes `asleepCore`, `asleepDeep` and `asleepREM`. Code that takes
              `asleep` (1) alone finds no sleep in such nights.
            - *Wrong names.* `value == inBed ? "InBed" : "Asleep"` passes time awake on as sleep, a `default` of `"AWAKE"` stages
              as time awake, and `3: "DEEP"` light sleep as deep.

            ## Wrong

            ```swift
            import HealthKit

            func hoursAsleep(_ samples: [HKCategorySample]) -> Double {
                var seconds = 0.0
                for sample in samples where sample.value != HKCategoryValueSleepAnalysis.awake.rawValue {
                    seconds += sample.endDate.timeIntervalSince(sample.startDate)
                }
                return seconds / 3600
            }
            ```

            ```swift
            import HealthKit

            func isAsleep(_ sample: HKCategorySample) -> Bool {
                sample.value == HKCategoryValueSleepAnalysis.asleep.rawValue
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func hoursAsleep(_ samples: [HKCategorySample]) -> Double {
                let stages = HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue)
                let asleep = samples.filter { stages.contains($0.value) }
                var seconds = 0.0
                var lastEnd = Date.distantPast
                for sample in asleep.sorted(by: { $0.startDate < $1.startDate }) {
                    let start = max(sample.startDate, lastEnd)
                    guard sample.endDate > start else { continue }
                    seconds += sample.endDate.timeIntervalSince(start)
                    lastEnd = sample.endDate
                }
                return seconds / 3600
            }
            ```

            ## When to ignore

            Where the samples are of one source for a reason the code doesn't show:
            `// openhealth:ignore sleep-sum the study's device is the only source`.

            ## What it sees, and doesn't

            `+=` and `total = total + …` in loops, or in a function that a loop calls with each sample;
            `reduce`, and `map` followed by `reduce` or `sum`, of lengths written with
            `timeIntervalSince`, `DateInterval`, `dateComponents`, a member such as `duration` or a function of the target; of
            samples, and of the target's own types that are made of a sample's start and end. The values are those that pass
            every `if`, `guard`, `switch`, `filter` and predicate on the way, also through members such as `isAsleep`; where one
            isn't understood, only overlapping sources are reported. The old value is also found in comparisons and
            predicates without a sum, as a number too, if the target names no stage anywhere. Names are looked at where a
            `switch`, an `if`, a `?:` or a dictionary gives at least two of them that say in bed, awake, asleep, core, light, deep or REM.

            It is silent where the code on the way merges intervals (a name that says so, or a loop that compares each start
            with the last end) or selects by source or device, about time in bed or awake alone, and about other category types. One
            finding stands in each function. Sums in SQL, in another module or over time slots aren't seen.

            """###,
        "small-calorie": ###"""
            # small-calorie

            Finds `HKUnit.calorie()`, `.smallCalorie()` and the unit text `"cal"`: the small calorie.

            A warning.

            ## Why

            What people, packages of food and Apple's rings call a calorie is a kilocalorie. HealthKit's `calorie()` is a
            thousandth of it: 500 kcal are read as 500,000, and 500 that somebody typed are saved as half a kilocalorie. In
            HealthKit's unit texts `cal` is the small one, `Cal` and `kcal` the large one.

            ## Wrong

            ```swift
            import HealthKit

            func burned(_ statistics: HKStatistics) -> Double {
                statistics.sumQuantity()?.doubleValue(for: .calorie()) ?? 0
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func burned(_ statistics: HKStatistics) -> Double {
                statistics.sumQuantity()?.doubleValue(for: .kilocalorie()) ?? 0
            }

            func isEnergy(_ type: HKQuantityType) -> Bool {
                type.is(compatibleWith: .calorie())
            }
            ```

            ## When to ignore

            When small calories are wanted, as in chemistry, or converted elsewhere:
            `// openhealth:ignore small-calorie the server divides`.

            ## What it sees, and doesn't

            Units by function and by text, in tables, switches and entries, and texts that become units later. It is silent where
            the value is divided or multiplied by a thousand in the same statement or where its variable is used, where units are
            only compared, and in tables that name the small calorie beside the kilocalorie. It doesn't see texts from settings or
            a server, nor conversions in another function.

            """###,
        "source-by-name": ###"""
            # source-by-name

            The name of a source compared with a text to decide whose data is kept: `source.name.contains("Watch")`.
            A warning.

            A warning.

            ## Why

            A source's name is what the person sees and may change: "Apple Watch" becomes "Blue", and its steps are gone
            from the app. It is translated on some systems, it is shared by two watches of one person, and any app may be
            called "Watch Buddy". Choosing by hand also leaves the merge by minutes or whole samples to the app: where two
            devices overlap in part, what the second one alone saw is lost.

            ## Wrong

            ```swift
            import HealthKit

            func fromWatch(_ samples: [HKQuantitySample]) -> [HKQuantitySample] {
                samples.filter { $0.sourceRevision.source.name.contains("Watch") }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func fromWatch(_ samples: [HKQuantitySample]) -> [HKQuantitySample] {
                samples.filter { $0.sourceRevision.productType?.hasPrefix("Watch") == true }
            }

            func isOwn(_ sample: HKSample) -> Bool {
                sample.sourceRevision.source == HKSource.default()
            }
            ```

            To let the better device win, ask a statistics query: it merges by the order the person chose. Apps are told
            by `bundleIdentifier`.

            ## When to ignore

            A name the person picked from a list of sources a moment ago: `// openhealth:ignore source-by-name chosen on
            this screen`.

            ## What it sees, and doesn't

            `==`, `switch`, `contains`, `hasPrefix`, `range(of:)` and the like, respelled or not, on the name itself, on a
            variable that keeps it, or looked up in a list; of a sample's source, of sources from a query, a function or a
            parameter declared as `HKSource`. It is silent where the name is shown, sorted or checked for being empty, and
            in functions that return a text, an image or a view. It doesn't see names that went through a model of the
            app's, a key path (`sources.map(\.name)`) or a dictionary's keys, nor devices (`HKDevice.name`).

            """###,
        "statistics-options": ###"""
            # statistics-options

            Options of a statistics query that don't suit its type: `.cumulativeSum` of a heart rate, `.discreteAverage`
            of steps, or both families at once.

            An error; a warning for a row of a table, which a query may not use.

            ## Why

            HealthKit raises an exception for such a query, which ends the app: there is no error in the handler. The
            query is right for some types and wrong for others, so that it usually shows when a new metric is added to a
            screen that was made for steps. Which family a type belongs to isn't always plain: six-minute walk distance,
            VO2 max and UV exposure are discrete; flights climbed, time in daylight and everything dietary are cumulative.

            ## Wrong

            ```swift
            import HealthKit

            func meanSteps(store: HKHealthStore, in range: NSPredicate) async throws -> HKQuantity? {
                try await HKStatisticsQueryDescriptor(
                    predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
                    options: .discreteAverage
                ).result(for: store)?.averageQuantity()
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func statistics(
                of type: HKQuantityType, store: HKHealthStore, in range: NSPredicate
            ) async throws -> HKStatistics? {
                let options: HKStatisticsOptions =
                    type.aggregationStyle == .cumulative ? .cumulativeSum : .discreteAverage
                return try await HKStatisticsQueryDescriptor(
                    predicate: .quantitySample(type: type, predicate: range), options: options
                ).result(for: store)
            }
            ```

            A mean of steps a day is made of daily sums: a collection query with `.cumulativeSum` and an interval of one
            day.

            ## When to ignore

            Code that runs on this package's store only, where the query throws instead, to test just that: `//
            openhealth:ignore statistics-options the refusal is what is tested`.

            ## What it sees, and doesn't

            Statistics and collection queries and their descriptors; types and options through names, branches, loops over
            literals and functions of the target. If the type or the options can be several, all of them must be wrong for a
            finding: a table of types beside a table of options is silent. A parameter's types are those of all calls in the
            target. Rows of a table with a type and its options (a tuple, the construction of a type of the app, a case of an enum
            with both as computed members) are read one by one, as warnings. Options
            for sums or averages are also found, as a warning, where the type is named outside
            (`HKQuantityTypeIdentifier(rawValue: name)`), or comes out of a table of names with types of both families, and neither
            the function nor its callers ask for `aggregationStyle` or the like. `.mostRecent` (and its old name), `.duration` and
            `.separateBySource` suit every type.

            """###,
        "strong-self": ###"""
            # strong-self

            The handler of a long-running query that holds `self`, in a class or an actor.

            A warning.

            ## Why

            The store holds the query, the query its handler, the handler `self`: until somebody calls `stop(_:)` the
            object can't go. Where `stop` stands in `deinit` it is never reached, since the handler keeps `deinit` from
            running. A screen that was closed goes on fetching, and a second one is made beside it; a person sees it as
            battery, a developer as a controller count that only grows.

            ## Wrong

            ```swift
            import HealthKit

            final class WeightFeed {
                private let store: HKHealthStore
                private var query: HKObserverQuery?

                init(store: HKHealthStore) { self.store = store }

                func start() {
                    let query = HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
                        _, completion, _ in
                        self.reload()
                        completion()
                    }
                    self.query = query
                    store.execute(query)
                }

                private func reload() {}
                deinit { if let query { store.stop(query) } }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            final class WeightFeed {
                private let store: HKHealthStore
                private var query: HKObserverQuery?

                init(store: HKHealthStore) { self.store = store }

                func start() {
                    let query = HKObserverQuery(sampleType: HKQuantityType(.bodyMass), predicate: nil) {
                        [weak self] _, completion, _ in
                        self?.reload()
                        completion()
                    }
                    self.query = query
                    store.execute(query)
                }

                private func reload() {}
                deinit { if let query { store.stop(query) } }
            }
            ```

            The completion handler is called even where `self` is gone: HealthKit counts the calls that don't come.

            ## When to ignore

            An object that is meant to live until it is stopped: `// openhealth:ignore strong-self ended by stop()`.

            ## What it sees, and doesn't

            `self` anywhere in the handler, in closures within it too (`[weak self]` there is too late: the outer closure
            has caught it), `[self]`, methods given as handlers, closures kept in a constant first. Silent: structures,
            handlers that run once, `[weak self]` and `[unowned self]`, copies of what is needed (`[sink]`), types that live
            as long as the app (see [never-stopped](never-stopped.md)). It doesn't see an object that is held through
            another one it owns.

            """###,
        "success-as-permission": ###"""
            # success-as-permission

            The success of `requestAuthorization` kept or shown as if it were the person's answer.

            A warning; a note where it is kept as permission and nobody is shown anything by it.

            ## Why

            The flag says that the request was handled: the sheet was shown, or needn't be. It is true for somebody who
            switched everything off. An app that keeps it as `isAuthorized` shows a dashboard of zeros to them and says that
            all is well. So does a server, or the JavaScript side of a bridge, that is sent `granted: true`. It passes every
            test, since developers allow everything.

            ## Wrong

            ```swift
            import HealthKit

            final class Permission {
                private(set) var isAuthorized = false
                let store: HKHealthStore

                init(store: HKHealthStore) { self.store = store }

                func ask() {
                    store.requestAuthorization(toShare: nil, read: [HKQuantityType(.stepCount)]) { success, _ in
                        self.isAuthorized = success
                    }
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            final class Permission {
                private(set) var hasAsked = false
                let store: HKHealthStore

                init(store: HKHealthStore) { self.store = store }

                func ask() async throws {
                    try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
                    hasAsked = true
                }
            }
            ```

            Then query, and let an empty answer say what is true: there is no data that this app can see, and where in
            Settings that can be changed. What may be *saved* is known: `authorizationStatus(for:)`.

            ## When to ignore

            A name that only sounds like permission: `// openhealth:ignore success-as-permission means the sheet was shown`.

            ## What it sees, and doesn't

            The flag followed into assignments, `if` and `guard`, `UserDefaults`, dictionaries and values with a name for
            permission (`"granted": success`, `map[name] = success` for `"permissions": map`), the app's own functions and
            completions, continuations, `async` functions that return `true`, and their callers; `isAuthorized = true` after an
            awaited request, and a text such as `"access_granted"` that is then handed on. Texts for a person that say granted or denied by the flag. A variable or key that only decides
            whether data is fetched, or that nothing reads, is a note.

            Silent: starting a fetch or an observer on success, handing the error on, logs, names that say that something was
            asked or requested, and a flag that is set by `authorizationStatus(for:)`. Whether a name means permission is decided
            by its words, in English; a flag kept under a neutral name (`isReady`, `state = 2`) isn't seen.

            """###,
        "summary-calendar": ###"""
            # summary-calendar

            Finds date components without a calendar in predicates for activity summaries.

            An error: HealthKit ends the app.

            ## Why

            An activity summary belongs to a day of a calendar, so the components of `predicateForActivitySummary(with:)` and
            `predicate(forActivitySummariesBetweenStart:end:)` must carry it. `calendar.dateComponents([.year, .month, .day],
            from:)` doesn't keep the calendar that made them; HealthKit raises an exception as soon as the rings are read.

            ## Wrong

            ```swift
            import HealthKit

            func rings(of day: Date) -> NSPredicate {
                let components = Calendar.current.dateComponents([.era, .year, .month, .day], from: day)
                return HKQuery.predicateForActivitySummary(with: components)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func rings(of day: Date) -> NSPredicate {
                var components = Calendar.current.dateComponents([.era, .year, .month, .day], from: day)
                components.calendar = Calendar.current
                return HKQuery.predicateForActivitySummary(with: components)
            }

            func rings(from start: Date, to end: Date) -> NSPredicate {
                let units: Set<Calendar.Component> = [.calendar, .era, .year, .month, .day]
                return HKQuery.predicate(
                    forActivitySummariesBetweenStart: Calendar.current.dateComponents(units, from: start),
                    end: Calendar.current.dateComponents(units, from: end))
            }
            ```

            `--fix` adds `.calendar` to the components that are taken.

            ## When to ignore

            When the calendar is set in a way that the rule doesn't see:
            `// openhealth:ignore summary-calendar set in prepare()`.

            ## What it sees, and doesn't

            Components made where they are used, in a variable, in a function or in a computed property of the target. Components
            that come as a parameter, from another module, or that are changed by a function (`prepare(&components)`) are silent,
            and so are lists of units that the source doesn't show.

            """###,
        "summed-samples": ###"""
            # summed-samples

            Quantities of raw samples of a cumulative type (steps, distance, energy, water) that are added up one by one.

            A warning. For what people enter rather than devices record, a note.

            ## Why

            A person who carries a phone and wears a watch has every walk twice in the store. Raw samples are never merged: a
            sample query returns both, and their sum is too high by up to the whole, differently each day. Statistics
            queries merge the sources by the order the person chose in Settings, piece by piece where two overlap. One
            notices it when somebody compares the app with the Health app; developers with one device never do.

            ## Wrong

            ```swift
            import HealthKit

            func steps(store: HKHealthStore, on day: DateInterval) async throws -> Double {
                let range = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
                let samples = try await HKSampleQueryDescriptor(
                    predicates: [.quantitySample(type: HKQuantityType(.stepCount), predicate: range)],
                    sortDescriptors: []
                ).result(for: store)
                return samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func steps(store: HKHealthStore, on day: DateInterval) async throws -> Double {
                let range = HKQuery.predicateForSamples(withStart: day.start, end: day.end)
                let statistics = try await HKStatisticsQueryDescriptor(
                    predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
                    options: .cumulativeSum
                ).result(for: store)
                return statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
            }
            ```

            ## When to ignore

            Where the samples are of one source for a reason the code doesn't show, or where the doubled sum is what is
            wanted: `// openhealth:ignore summed-samples shows what each app wrote`.

            ## What it sees, and doesn't

            `reduce`, `sum`, `+=` and `total = total + …` in loops; over a handler's samples, a descriptor's result, an
            anchored query's added samples, a property that keeps them, what a function of the target returns, gives its
            completion handler or its continuation, with the type as the callers give it; after `map` to numbers or to a
            type that holds them. Where the type isn't told, the unit may: only cumulative types are measured in energy.

            What only an app enters (food, water, alcohol, insulin, puffs of an inhaler) is a note: it is there twice only
            where two apps copy from each other.

            It is silent where a predicate, a filter, a grouping or an `if` chooses by source, device or workout, and
            about discrete types. It doesn't see sums in another module, sums over a list that is filled by `append`, sums
            written as arithmetic with an index (`values[i] + values[i - 1]`), and units other than energy where the type
            isn't known.

            """###,
        "timestamp-anchor": ###"""
            # timestamp-anchor

            Finds the stored date of the last sync (in UserDefaults, `@AppStorage`, a property set to the time it is) used as
            the start of a query's predicate.

            A warning.

            ## Why

            A predicate compares when something happened; what is new is decided by when it was saved. A watch hands over its
            heart rates hours later, a scale when its app is opened, a person adds last week's blood pressure by hand, a new
            phone receives years from iCloud: all of that arrives with dates before the last sync and is never asked for. Nor
            does any date bring deletions, so what was removed stays. People with a watch lose some of each day, those with
            only a phone almost nothing, which is why it passes on a developer's phone.

            ## Wrong

            ```swift
            let last = UserDefaults.standard.object(forKey: "lastSync") as? Date ?? .distantPast
            let query = HKSampleQuery(
                sampleType: HKQuantityType(.heartRate),
                predicate: HKQuery.predicateForSamples(withStart: last, end: nil),
                limit: HKObjectQueryNoLimit, sortDescriptors: nil
            ) { _, samples, _ in
                upload(samples ?? [])
                UserDefaults.standard.set(Date(), forKey: "lastSync")
            }
            ```

            ## Right

            ```swift
            let result = try await HKAnchoredObjectQueryDescriptor(
                predicates: [.quantitySample(type: HKQuantityType(.heartRate))],
                anchor: anchors.load("heartRate")
            ).result(for: store)
            try await upload(result.addedSamples, removing: result.deletedObjects.map(\.uuid))
            anchors.save(result.newAnchor, "heartRate")
            ```

            The history may still be bounded: a predicate with a fixed start (one year back) beside the anchor does no harm. For
            sums and averages ask anew for whole days with a statistics query; a few days are cheap.

            ## When to ignore

            When the date means a window and not "what I have": since a programme began, since a person last looked.

            ```swift
            // openhealth:ignore timestamp-anchor shows what happened since the person last looked, keeps nothing
            ```

            ## What it doesn't see

            - A date that a server, the keychain, a file or a database gives counts by its name (`lastSyncDate()`,
              `string(for: "last_sync")`, `state.lastUploadedAt`, `cursor`); a member of the target's own types must also be set
              to the time it is or to a sample's date.
            - A key of UserDefaults whose name says nothing counts where it is set to a sample's date, or to the time it is by the
              code that reads: a start that a person chose is silent. A plain property whose name says nothing isn't seen, unless
              the same function sets it behind the predicate.
            - Predicates of a format string or of `#Predicate`, and dates whose key hangs on a type.

            """###,
        "types-in-one-query": ###"""
            # types-in-one-query

            Two or more types in one sample or anchored query (`queryDescriptors:`, `predicates:`).
            A note.

            ## Why

            People grant each type by itself, and may refuse one of ten. A query over several stands or falls as one: a
            type that was never asked for (added in a later version, say) fails it with an authorization error, and what
            was readable isn't returned either. With an anchored query there is one anchor for all, so that adding a type
            means reading everything again. What one sees is a screen that is empty as a whole for some people.

            How Apple's store answers when one of several types is *denied* has been reported in two ways; a query for
            each type doesn't depend on it.

            ## Wrong

            ```swift
            import HealthKit

            func vitals(store: HKHealthStore, in range: NSPredicate) async throws -> [HKQuantitySample] {
                try await HKSampleQueryDescriptor(
                    predicates: [
                        .quantitySample(type: HKQuantityType(.heartRate), predicate: range),
                        .quantitySample(type: HKQuantityType(.oxygenSaturation), predicate: range),
                    ],
                    sortDescriptors: []
                ).result(for: store)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func vitals(store: HKHealthStore, in range: NSPredicate) async -> [HKQuantitySample] {
                var found: [HKQuantitySample] = []
                for type in [HKQuantityType(.heartRate), HKQuantityType(.oxygenSaturation)] {
                    let query = HKSampleQueryDescriptor(
                        predicates: [.quantitySample(type: type, predicate: range)], sortDescriptors: [])
                    found += (try? await query.result(for: store)) ?? []
                }
                return found
            }
            ```

            ## When to ignore

            Types that are always granted and used together, such as the two of a blood pressure: `// openhealth:ignore
            types-in-one-query systolic and diastolic are asked for as one`.

            ## What it doesn't see

            Lists whose elements the source doesn't tell: parameters, other modules, settings. Literals, `map` over a
            literal, sums of lists and `append` in a loop are followed; types that are declared elsewhere count as
            different if their names differ. One type twice, with different predicates, is right and silent.

            """###,
        "types-never-used": ###"""
            # types-never-used

            Types that an authorization request names and that nothing else in the code reads, and a request to write in code that
            saves nothing.

            A note.

            ## Why

            The sheet lists each type with a switch of its own. A step counter that asks for blood oxygen is refused more often,
            also for the steps, and App Review rejects apps that ask for data they don't use (guidelines 5.1.1 and 5.1.3). A
            request to write also needs a usage text of its own.

            ## Wrong

            ```swift
            import HealthKit

            func authorize(_ store: HKHealthStore) async throws {
                let steps = HKQuantityType(.stepCount)
                try await store.requestAuthorization(toShare: [steps], read: [steps])
            }

            func today(_ store: HKHealthStore) async throws -> Double? {
                let start = Calendar.current.startOfDay(for: .now)
                let range = HKQuery.predicateForSamples(withStart: start, end: nil)
                return try await HKStatisticsQueryDescriptor(
                    predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
                    options: .cumulativeSum
                ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func authorize(_ store: HKHealthStore) async throws {
                try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
            }

            func today(_ store: HKHealthStore) async throws -> Double? {
                let start = Calendar.current.startOfDay(for: .now)
                let range = HKQuery.predicateForSamples(withStart: start, end: nil)
                return try await HKStatisticsQueryDescriptor(
                    predicate: .quantitySample(type: HKQuantityType(.stepCount), predicate: range),
                    options: .cumulativeSum
                ).result(for: store)?.sumQuantity()?.doubleValue(for: .count())
            }
            ```

            ## When to ignore

            Where another module reads what this one asks for: `// openhealth:ignore types-never-used the widget's target reads
            it`.

            ## What it sees, and doesn't

            One request in the target, whose types are written in the code, in a target with queries whose types are all known. A
            type counts as used where its identifier, the constant that holds it or its class occurs anywhere else; rings and a
            workout's totals count for the energy, time and distance they are made of.

            It is silent where the set of types is used for anything else (a loop, background delivery), where a query's type
            can't be determined, where types are made of texts, in targets with several requests or with live workouts, and where
            most of the types would be reported.

            """###,
        "unbounded-query": ###"""
            # unbounded-query

            A sample or correlation query without a limit whose predicate leaves nothing out: `nil`, or a range of dates
            open at both ends. A warning; a note for types that are written some times a day at most (body mass, workouts,
            blood pressure, meals); silent for those of which people have some thousands in ten years at most (clinical
            records, documents, prescriptions, audiograms, electrocardiograms, symptoms, events).

            ## Why

            A watch writes a heart rate every few minutes and steps as one walks: after some years that is a million
            samples of each. Such a query loads all of them into memory at once, as objects, in one array. On the
            developer's phone with a month of data it is quick; for the people who have worn a watch for eight years the
            app is ended for using too much memory, most often in the background, where nobody sees why the
            synchronisation stopped.

            ## Wrong

            ```swift
            import HealthKit

            func heartRates(store: HKHealthStore, completion: @escaping ([HKSample]) -> Void) {
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.heartRate), predicate: nil, limit: HKObjectQueryNoLimit,
                    sortDescriptors: nil
                ) { _, samples, _ in
                    completion(samples ?? [])
                }
                store.execute(query)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func heartRates(
                store: HKHealthStore, since start: Date, completion: @escaping ([HKSample]) -> Void
            ) {
                let recent = HKQuery.predicateForSamples(withStart: start, end: nil)
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.heartRate), predicate: recent, limit: HKObjectQueryNoLimit,
                    sortDescriptors: nil
                ) { _, samples, _ in
                    completion(samples ?? [])
                }
                store.execute(query)
            }
            ```

            For totals and means ask statistics, which need no samples; for all of a history, an anchored query with a
            limit, page by page.

            ## When to ignore

            A type of which there can only be few, or an export that must hold everything: `// openhealth:ignore
            unbounded-query medications are some hundreds at most`.

            ## What it doesn't see

            A predicate or a limit that is a parameter, that only some branch leaves away, that another type sets, or that comes
            from another module; a second query for the same types in the same function; `predicateForSamples(withStart:
            .distantPast, end: Date())`, which bounds a date and still means everything; `limit: Int.max`. Anchored queries are
            left alone: their first answer is meant to be everything.

            """###,
        "unchecked-upload": ###"""
            # unchecked-upload

            Finds uploads with `URLSession` whose HTTP status nobody looks at.

            A warning.

            ## Why

            `URLSession` reports an error if there is no answer. A server that answers 401, 413 or 500 did answer: nothing is
            thrown, and the app takes the data for sent, moves its anchor on and never sends it again. An expired token loses
            everything until somebody notices.

            ## Wrong

            ```swift
            import HealthKit

            func upload(_ samples: [HKQuantitySample], to url: URL) async throws {
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                request.httpBody = try JSONEncoder().encode(samples.map(\.uuid))
                _ = try await URLSession.shared.data(for: request)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func upload(_ samples: [HKQuantitySample], to url: URL) async throws {
                var request = URLRequest(url: url)
                request.httpMethod = "POST"
                request.httpBody = try JSONEncoder().encode(samples.map(\.uuid))
                let (_, response) = try await URLSession.shared.data(for: request)
                guard let http = response as? HTTPURLResponse, 200..<300 ~= http.statusCode else {
                    throw URLError(.badServerResponse)
                }
            }
            ```

            ## When to ignore

            When nothing depends on it that the data arrived: `// openhealth:ignore unchecked-upload sent anew each day`.

            ## What it sees, and doesn't

            `data(for:)`, `upload(for:)`, `dataTask(with:)` and `uploadTask(with:)` whose response and answer are dropped or only
            logged, with a request that has a body or a method of uploads, in the function, in the one that makes the request or
            in its callers. It is silent where the response is returned, passed on or kept, where the answer is decoded, for
            requests that send nothing, and for uploads that aren't reached from a file that imports HealthKit: a login needs no
            such care. It doesn't see Alamofire and other libraries, publishers, nor delegates of background sessions.

            """###,
        "unfinished-workout": ###"""
            # unfinished-workout

            A workout that is recorded and never saved: a builder without `finishWorkout`, one that is finished while its
            collection still ends, a route without `finishRoute`. Or a session that is never ended.

            A warning.

            ## Why

            A builder saves nothing by itself: it begins, collects, ends and is finished, in this order, and another order is an
            error. `finishWorkout` beside `endCollection`, instead of in its handler, works whenever the collection happens to
            end in time. A session that isn't ended keeps the sensors running, drains the battery, and the next workout can't
            start.

            ## Wrong

            ```swift
            import HealthKit

            func end(_ session: HKWorkoutSession, _ builder: HKLiveWorkoutBuilder) {
                session.end()
                builder.endCollection(withEnd: .now) { _, _ in }
                builder.finishWorkout { workout, error in
                    print(workout?.duration ?? 0, error ?? "")
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func end(_ session: HKWorkoutSession, _ builder: HKLiveWorkoutBuilder) {
                session.end()
                builder.endCollection(withEnd: .now) { success, error in
                    guard success else { return print("not ended: \(error as Any)") }
                    builder.finishWorkout { workout, error in
                        print(workout?.duration ?? 0, error ?? "")
                    }
                }
            }
            ```

            ## When to ignore

            When another module ends the session or finishes the builder.

            ## What it doesn't see

            - Paths: that a call exists anywhere in the review is enough, except for a function that discards the workout.
            - Sessions and builders that several types share under other names.
            - A session that fails: what its builder has collected can still be finished in `didFailWithError`.

            """###,
        "unit-mismatch": ###"""
            # unit-mismatch

            A unit that can't measure the type at all: steps read in metres, a heart rate saved in counts, a predicate
            that compares a heart rate with hours.

            An error; a warning for a row of a table, which a query may not use.

            ## Why

            HealthKit converts between units of one dimension and raises an exception for any other: reading, comparing or
            saving ends the app. A heart rate is `count/min`, not `count`; glucose is a mass in a volume, not a mass. The
            mistake compiles, and shows the first time there is a sample of that type: on the phone of a person who has
            such data.

            ## Wrong

            ```swift
            import HealthKit

            func latestPulse(store: HKHealthStore, completion: @escaping (Double?) -> Void) {
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 1,
                    sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)]
                ) { _, samples, _ in
                    let sample = samples?.first as? HKQuantitySample
                    completion(sample?.quantity.doubleValue(for: .count()))
                }
                store.execute(query)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func latestPulse(store: HKHealthStore, completion: @escaping (Double?) -> Void) {
                let perMinute = HKUnit.count().unitDivided(by: .minute())
                let query = HKSampleQuery(
                    sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 1,
                    sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierEndDate, ascending: false)]
                ) { _, samples, _ in
                    let sample = samples?.first as? HKQuantitySample
                    completion(sample?.quantity.doubleValue(for: perMinute))
                }
                store.execute(query)
            }
            ```

            Where the type is only known at run time, ask `quantity.is(compatibleWith:)` first.

            ## When to ignore

            Hardly ever. If the unit is checked somewhere the rule can't look: `// openhealth:ignore unit-mismatch checked
            by the caller`.

            ## What it sees, and doesn't

            Samples and statistics are followed to their query through handlers, descriptors, collections, loops and functions of
            the target; workouts' totals, `statistics(for:)`, correlations' `objects(for:)` and activity summaries by their names.
            Rows of a table with a type and its unit (a tuple, the construction of a type of the app, a case of an enum with both
            as computed members) are read one by one, as warnings. A unit may be written as a text that the target
            gives to `HKUnit(from:)`. The `default` of a function from types to units counts for the types that the target passes
            to it and no branch names; that of a function from names to units for the names that only the function from names to
            types has, and so does the default with which a dictionary of units is read (`units[name] ?? .count()`). Quantities are followed into `HKQuantitySample` and
            `predicateForQuantitySamples`.

            It is silent if the type or the unit can be several of which one fits, if either comes from outside, and in a
            function that asks `is(compatibleWith:)` anywhere. Per cent and counts are one dimension, so that a share read
            as a count is no finding; neither is a unit that fits and is the wrong one (grams for kilograms).

            """###,
        "unit-scale": ###"""
            # unit-scale

            A unit that HealthKit accepts for the type and that makes the number 60, 100 or 1,000 times too large or too small.

            A warning.

            ## Why

            HealthKit converts into any unit that fits, so that nothing fails where the unit is another one than the label says:

            - A heart rate per second is 1.2 where the screen says 72.
            - Heart rate variability is usually given in milliseconds; `second()` gives 0.045.
            - `percent()` gives a fraction: an oxygen saturation of 97 % is 0.97, which is below any limit such as 92, and is
              shown as "1.0 %". The other way round, 97 that is saved with `percent()` is 9,700 % in Health.
            - A table whose `default` measures in grams what another one labels `mg` saves a thousandfold.
            - `HKQuantity(unit: .liter(), doubleValue: milliliters)` makes 250 litres of a glass.

            ## Wrong

            ```swift
            import HealthKit

            func text(_ saturation: HKQuantity) -> String {
                "\(saturation.doubleValue(for: .percent())) %"
            }
            ```

            ```swift
            import HealthKit

            func isLow(_ saturation: HKQuantity) -> Bool {
                saturation.doubleValue(for: .percent()) < 92
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func text(_ saturation: HKQuantity) -> String {
                "\(saturation.doubleValue(for: .percent()) * 100) %"
            }

            func isLow(_ saturation: HKQuantity) -> Bool {
                saturation.doubleValue(for: .percent()) * 100 < 92
            }
            ```

            ## When to ignore

            Where the other side expects this unit: `// openhealth:ignore unit-scale the server's field is a fraction`.

            ## What it sees, and doesn't

            Counts per second, `second()` beside the variability's identifier or on its
            samples, and values in `percent()` that are compared with a number above 1.5 or stand before a percent sign in a text
            or a format, directly or by a local name.

            Numbers are also saved wrongly: with `percent()`, a number above 1.5, an `Int`, what is limited to a range such as
            `3...60`, what a slider up to 100 or a field labelled `%` gives, and what the target reads times 100 and saves as it
            comes, also where the unit is a member of an enum. That needs a way to the number without a division by 100 in any of
            its files, and without a name, a comment or a limit that says fraction. In an enum or in rows with a unit and a label,
            a label of another scale is found if most of the others agree, no number such as a factor stands beside them, and the
            file knows no 1,000.

            A number is also found whose name says another unit than it is saved or read in (`milliliters`, `caffeineMg`, the key
            `"weightKg"`), also by the names that its callers give it, and a unit that is passed beside the label of another one
            to a function that reads in it (`.percent()`, `"%"`). Closures that a value is made of are followed to their calls.

            It is silent where the statement, the function or the file multiplies or divides by 1,000, 60 or 100. Small calories
            are another rule's: [small-calorie](small-calorie.md).

            """###,
        "unit-string": ###"""
            # unit-string

            `HKUnit(from:)` with a string that HealthKit's grammar can't read: `bpm`, `km/h`, `ml/kg/min`. An error.

            An error.

            ## Why

            The initializer isn't failable. HealthKit raises an exception for a string it can't read, which Swift can't
            catch: the app ends where the unit is first used, which for a static property may be a screen that few people
            open. Case counts (`mmHg`), words aren't units (`steps` is `count`), hours are `hr`, and a unit has one slash
            at most.

            ## Wrong

            ```swift
            import HealthKit

            let pulse = HKUnit(from: "bpm")
            let fitness = HKUnit(from: "ml/kg/min")
            let glucose = HKUnit(from: "mmol<glucose>/L")
            ```

            ## Right

            ```swift
            import HealthKit

            let pulse = HKUnit.count().unitDivided(by: .minute())
            let fitness = HKUnit(from: "ml/kg*min")
            let glucose = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose)
                .unitDivided(by: .liter())
            ```

            `--fix` writes the unit that common texts mean.

            ## When to ignore

            A symbol that a later system may know and this tool doesn't yet: `// openhealth:ignore unit-string new in this
            autumn's system`.

            ## What it sees, and doesn't

            Literals, and what constants, branches, computed properties, dictionaries and the raw values of enums of the target
            lead to; the finding stands at the literal. Raw values are left out where the code tells the cases apart. Strings with interpolations, from a file, a server or another module are left alone. The grammar
            is the one of the `HealthKit` module here; it also reads `µg`, which exports contain, and the empty string,
            the unit of a plain number: both are silent. `mmol/L` is read too, moles of anything, which convert to no
            mass: [unit-mismatch](unit-mismatch.md) finds them where the type is known.

            """###,
        "unlocked-results": ###"""
            # unlocked-results

            Finds a collection or a sum that the handlers of several queries change at the same time.

            A warning.

            ## Why

            Each query calls back on a queue of its own. Handlers of queries that were started in a loop run at the same time, and
            arrays, dictionaries and numbers in Swift aren't made for that: values vanish, and now and then the app crashes,
            mostly on fast phones with much data. A `DispatchGroup` waits for all of them, but it doesn't let them take turns.

            ## Wrong

            ```swift
            import HealthKit

            func latest(_ types: [HKQuantityType], _ today: NSPredicate, _ store: HKHealthStore) {
                var found: [HKSample] = []
                for type in types {
                    store.execute(
                        HKSampleQuery(sampleType: type, predicate: today, limit: 1, sortDescriptors: nil) {
                            _, samples, _ in
                            found.append(contentsOf: samples ?? [])
                        })
                }
            }
            ```

            ## Right

            ```swift
            import HealthKit

            let results = DispatchQueue(label: "results")

            func latest(_ types: [HKQuantityType], _ today: NSPredicate, _ store: HKHealthStore) {
                var found: [HKSample] = []
                for type in types {
                    store.execute(
                        HKSampleQuery(sampleType: type, predicate: today, limit: 1, sortDescriptors: nil) {
                            _, samples, _ in
                            results.async { found.append(contentsOf: samples ?? []) }
                        })
                }
            }
            ```

            With `await`, a task group collects the results of its tasks in one place.

            ## When to ignore

            When something lets the handlers take turns that the rule doesn't know:
            `// openhealth:ignore unlocked-results the wrapper calls back on a serial queue`.

            ## What it sees, and doesn't

            Handlers of queries, completion handlers of the target's functions that such handlers call, and blocks on a global
            queue, also those of `notify(queue: .global())`, in a loop or at least two of them; local collections and sums, and plain properties of classes in which nothing
            locks. It is silent inside a serial queue, the main queue, a lock or a task, for handlers that start one another or
            are waited for in turn, and for actors, types of the main actor and properties with a wrapper. It doesn't see changes
            in functions that the handlers call, objects of another type that are changed, nor two handlers that write one
            variable with `=`.

            """###,
        "usage-strings": ###"""
            # usage-strings

            A usage text or an entitlement that the code needs and that none of the project's files declares.

            A warning.

            ## Why

            Without `NSHealthShareUsageDescription` a request to read ends the app, without `NSHealthUpdateUsageDescription`
            a request to write does; both also fail the review of the App Store. Without the entitlement
            `com.apple.developer.healthkit` every request fails with an error, without
            `com.apple.developer.healthkit.background-delivery` enabling delivery does, which few apps look at. It happens
            when a second target is added, when a key is renamed, or when an app that only read begins to write.

            ## Wrong

            `Info.plist` with `NSHealthShareUsageDescription` only, and:

            ```swift
            import HealthKit

            func ask(_ store: HKHealthStore) async throws {
                let weight = HKQuantityType(.bodyMass)
                try await store.requestAuthorization(toShare: [weight], read: [weight])
            }
            ```

            ## Right

            ```xml
            <key>NSHealthShareUsageDescription</key>
            <string>Your weight is shown beside your training.</string>
            <key>NSHealthUpdateUsageDescription</key>
            <string>The weight you enter here is kept in Health.</string>
            ```

            or, in a project that generates its Info.plist, the build settings `INFOPLIST_KEY_NSHealthShareUsageDescription`
            and `INFOPLIST_KEY_NSHealthUpdateUsageDescription`; and in the entitlements:

            ```xml
            <key>com.apple.developer.healthkit</key>
            <true/>
            <key>com.apple.developer.healthkit.background-delivery</key>
            <true/>
            ```

            ## When to ignore

            Where a script or a tool adds the keys after this: `// openhealth:ignore usage-strings added by our build`.

            ## What it sees, and doesn't

            Property lists and entitlements written as XML, and a `project.pbxproj`, beside the code of a target; and a Cordova
            plugin's `plugin.xml` that adds one of the two texts. Those count that
            lie nearest to the code, in its folder or one around it: what a watch app or a widget declares in a folder of its own
            doesn't speak for the phone. Keys in a project or a `project.yml` count for all its targets. Packages are left out,
            since the app that uses them declares the keys, and so are an example app's files for the code of a plugin. Only what
            a request shows is asked for, and background delivery also where a package beside the app enables it: sets that come
            from elsewhere are unknown. It says nothing where no such file is found, where a list is binary, where a project takes
            its settings from a configuration file (`.xcconfig`) or names an Info.plist that isn't there. It doesn't check what a
            text says.

            """###,
        "utc-anchor-date": ###"""
            # utc-anchor-date

            A statistics collection whose days aren't those of the person's calendar: an `anchorDate` made of UTC, of the
            present moment or of the distant past, or an interval of 24 hours where a day is meant. A warning.

            A warning.

            ## Why

            The anchor says when a day begins. Midnight of UTC is four in the afternoon of a Californian winter: each
            "day" there holds the evening of one and the day of the next, and every total is a little wrong while the
            chart looks plausible. `Date()` lets the days begin at the time the screen was opened, so that the same week
            gives other bars an hour later. An interval of 24 hours drifts by an hour at each change of the clocks, and
            stays off until the next. Tests near Greenwich in winter see none of it.

            ## Wrong

            ```swift
            import HealthKit

            func dailySteps(in range: NSPredicate, until end: Date) -> HKStatisticsCollectionQuery {
                var calendar = Calendar(identifier: .gregorian)
                calendar.timeZone = TimeZone(secondsFromGMT: 0)!
                return HKStatisticsCollectionQuery(
                    quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
                    options: .cumulativeSum, anchorDate: calendar.startOfDay(for: end),
                    intervalComponents: DateComponents(hour: 24))
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func dailySteps(in range: NSPredicate, until end: Date) -> HKStatisticsCollectionQuery {
                HKStatisticsCollectionQuery(
                    quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: range,
                    options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: end),
                    intervalComponents: DateComponents(day: 1))
            }
            ```

            `--fix` takes the start of the day of `Date()`, and days for a multiple of 24 hours.

            ## When to ignore

            A study that counts in UTC for all, or a window of 24 hours that ends now on purpose: `// openhealth:ignore
            utc-anchor-date the last 24 hours, whatever the day`.

            ## What it doesn't see

            Intervals shorter than a day are left alone, though a UTC hour is off in India. Dates and zones that are
            parameters, that are decoded, or that come from another module; the calendar inside `intervalComponents`; a
            fixed zone other than UTC. `Date()` and the distant past are found only where the interval is known to be a
            day or longer.

            """###,
        "week-year": ###"""
            # week-year

            Finds date formats with `YYYY`, the year of the week, beside a month or a day.

            A warning.

            ## Why

            `Y` is the year that the week belongs to; `y` is the calendar year. They differ around New Year only: 30 December 2024
            lies in the first week of 2025, so `YYYY-MM-dd` gives `2025-12-30`. Samples of these days are stored, uploaded or
            shown under a day that is a year away, and the code passes every test in between.

            ## Wrong

            ```swift
            import HealthKit

            let formatter = DateFormatter()

            func key(_ sample: HKSample) -> String {
                formatter.dateFormat = "YYYY-MM-dd"
                return formatter.string(from: sample.startDate)
            }
            ```

            ## Right

            ```swift
            import HealthKit

            let formatter = DateFormatter()

            func key(_ sample: HKSample) -> String {
                formatter.dateFormat = "yyyy-MM-dd"
                return formatter.string(from: sample.startDate)
            }

            func week(_ sample: HKSample) -> String {
                formatter.dateFormat = "YYYY-'W'ww"
                return formatter.string(from: sample.startDate)
            }
            ```

            `--fix` writes `y`.

            ## When to ignore

            When a text of this form goes to something else than a `DateFormatter`:
            `// openhealth:ignore week-year the server's own notation`.

            ## What it sees, and doesn't

            Texts that are assigned to `dateFormat` or passed as a template, and texts in a target with date formatters that can
            only be a date format: with `YY`, `M` and `d`, in constants, raw values, default arguments and tables. Formats with a
            week (`w`, `W`) are right, and texts shown to people (`Text`, `placeholder:`) are silent. It doesn't see formats
            joined from parts, `YYYY` alone, nor `yearForWeekOfYear` in date components.

            """###,
        "workout-pauses": ###"""
            # workout-pauses

            Finds a workout's time that counts its pauses: the end minus the start of an `HKWorkout`, and a clock since the start
            of a live workout that can be paused.

            A warning.

            ## Why

            A workout's `duration` and a builder's `elapsedTime` leave pauses out; dates don't. Half an hour of training with a
            coffee in the middle becomes an hour, the pace halves, and the app disagrees with the Fitness app about the same
            workout.

            ## Wrong

            ```swift
            import HealthKit

            func minutes(_ workout: HKWorkout) -> Double {
                workout.endDate.timeIntervalSince(workout.startDate) / 60
            }
            ```

            ## Right

            ```swift
            import HealthKit

            func minutes(_ workout: HKWorkout) -> Double {
                workout.duration / 60
            }

            func time(_ builder: HKLiveWorkoutBuilder) -> TimeInterval {
                builder.elapsedTime
            }
            ```

            ## When to ignore

            When the time on the clock is wanted, as for a chart of the heart rate over the workout:
            `// openhealth:ignore workout-pauses the chart's length`.

            ## What it sees, and doesn't

            `timeIntervalSince`, `distance(to:)`, `dateComponents(_:from:to:)`, `DateInterval`, differences of time stamps and
            `DateComponentsFormatter` on the two dates of one workout, by its declared type. It is silent where the function also
            takes `duration` or the events, or names the result for what it is (`elapsed`, `range`, `axisWidth`).

            A clock counts where the target pauses a session, asks no builder for `elapsedTime`, and the type with the builder
            neither keeps what it needs to subtract pauses (`pausedAt`, `accumulatedTime`) nor shifts the start when it resumes.
            The end may also be the date of a `TimelineView`, and the start a member of the model that another view reads. It
            doesn't see clocks of SwiftUI (`Text(start, style: .timer)`), nor a clock in a type of its own.

            """###,
    ]
}
