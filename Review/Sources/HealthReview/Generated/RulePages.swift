// Rendered from Documentation/Review by RulePageTests; don't edit.

/// The rules' pages, by name.
enum RulePages {
    static let all: [String: String] = [
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

            - Storing by a function of another module whose name doesn't say so; a stored property of another object.
            - Whether a function that gets the data has finished when it returns: a completion handler that is called later, a
              queue of uploads.
            - Data and anchor that are handed on together: the function that takes both is looked at instead, if it names the
              types of both.

            """###,
        "availability-never-asked": ###"""
            # availability-never-asked

            A health store is made, and nothing that is reviewed ever asks `HKHealthStore.isHealthDataAvailable()`.

            A warning.

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

            An app that can't be installed where there is none, as it requires the `healthkit` device capability, or a watch
            app: `// openhealth:ignore availability-never-asked required capability`.

            ## What it sees, and doesn't

            One mention of `isHealthDataAvailable` anywhere makes it silent; the first store that is made is reported, once.
            Whether the question comes before the first call, and what the app does with the answer, it doesn't see; nor the
            capabilities that the Info.plist requires.

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

            `as!`, implicitly unwrapped properties, a look-up in one function whose result is forced in another, an
            identifier kept in a property or decoded as one, and one that another module passes. A value that is kept
            under a name and forced later isn't found where an `if` or `guard` before it mentions the name. A named
            identifier's first system is not compared with the app's.

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

            A warning; a note where no anchor is kept.

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
                            let sum = statistics?.sumQuantity()?.doubleValue(for: .count()) ?? 0
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
            publisher that a handler feeds; from there the target's own functions that are called, and the closures its callers
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
            returned or handed to a function, types kept in a static or global variable or by the app and its delegate,
            bridges to other languages, observers in a target that enables background delivery (but not a screen's), static
            functions, streams of descriptors (their task ends them). It doesn't see whether a `stop` is reached, nor that a
            query is started twice before it.

            """###,
        "observer-completion": ###"""
            # observer-completion

            Finds a way through an observer query's handler on which its completion handler is neither called nor handed on, and a call that comes before the work which the wake starts has ended.

            A warning.

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

            Types that no request of the target asks to share, where all of its requests can be read; the types of a list
            that is only read; functions and variables named for reading (`canRead…`); an `if`, `guard` or `switch` on the
            status by which the same function queries and saves nothing. Silent: types that are asked to be shared, types
            the code doesn't tell, statuses of cameras, calendars, contacts and places. It doesn't see a status that is kept
            in a property and read by another function.

            """###,
        "resumed-twice": ###"""
            # resumed-twice

            Finds a continuation that is resumed from a handler which HealthKit calls more than once, with nothing that keeps it
            from a second time.

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
            - A test of `done`, of a flag that the handler sets, a query that is stopped in the handler, or an error's branch
              counts as a guard, however it is written; whether a flag is safe from two threads is not looked at.
            - Completion handlers that are called twice, and continuations that are never resumed.

            """###,
        "shared-anchor": ###"""
            # shared-anchor

            Finds one stored anchor (a property, a key, a file) given to queries of different types, or to a query whose
            type changes from call to call.

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

                func start(_ store: HKHealthStore) {
                    for type in [HKQuantityType(.stepCount), HKQuantityType(.heartRate)] {
                        store.execute(
                            HKAnchoredObjectQuery(
                                type: type, predicate: nil, anchor: anchors[type.identifier],
                                limit: HKObjectQueryNoLimit
                            ) { [weak self] _, added, deleted, newAnchor, _ in
                                self?.apply(added, deleted)
                                self?.anchors[type.identifier] = newAnchor
                            })
                    }
                }
            }
            ```

            Handlers come on queues of their own: guard the dictionary, or keep it in an actor.

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
            ring or an app. They overlap, and a sample query returns all of them. Four mistakes change the hours:

            - *Time in bed as sleep.* `inBed` (0) lies over the stages: both together are up to twice the night.
            - *Time awake as sleep.* `awake` (2) is a stage like the others, of half an hour in most nights.
            - *All sources.* Lengths that are added without merging overlapping intervals count a night for each tracker.
            - *Only the old value.* Since iOS 16 Apple Watch writes `asleepCore`, `asleepDeep` and `asleepREM`. Code that takes
              `asleep` (1) alone finds no sleep in such nights.

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

            `+=` and `total = total + …` in loops, `reduce`, and `map` followed by `reduce` or `sum`, of lengths written with
            `timeIntervalSince`, `DateInterval`, `dateComponents`, a member such as `duration` or a function of the target; of
            samples, and of the target's own types that are made of a sample's start and end. The values are those that pass
            every `if`, `guard`, `switch`, `filter` and predicate on the way, also through members such as `isAsleep`; where one
            isn't understood, only overlapping sources are reported. The old value is also found in comparisons and
            predicates without a sum, if the target names no stage anywhere.

            It is silent where the code on the way merges intervals (a name that says so, or a loop that compares each start
            with the last end) or selects by source or device, about time in bed or awake alone, and about other category types. One
            finding stands in each function. Sums in SQL, in another module or over time slots aren't seen.

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
            of steps, or both families at once. An error.

            An error.

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
            literals and functions of the target. If the type or the options can be several, all of them must be wrong for
            a finding: a table of types beside a table of options is silent, and so is a type that is a parameter.
            `.mostRecent` (and its old name), `.duration` and `.separateBySource` suit every type.

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
            permission (`"granted": success`), the app's own functions and completions, continuations, `async` functions that
            return `true`, and their callers; `isAuthorized = true` after an awaited request. Texts for a person that say granted
            or denied by the flag. A variable or key that only decides whether data is fetched, or that nothing reads, is a note.

            Silent: starting a fetch or an observer on success, handing the error on, logs, names that say that something was
            asked or requested, and a flag that is set by `authorizationStatus(for:)`. Whether a name means permission is decided
            by its words, in English; a flag kept under a neutral name (`isReady`, `state = 2`) isn't seen.

            """###,
        "summed-samples": ###"""
            # summed-samples

            Quantities of raw samples of a cumulative type (steps, distance, energy, water) that are added up one by one.
            A warning.

            A warning.

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

            - Dates in a file, a database or a server's answer, unless the name says so (`lastSyncDate`) and the target sets it.
            - A plain property whose name says nothing, unless the same function sets it behind the predicate.
            - Predicates of a format string or of `#Predicate`, and dates whose key hangs on a type.

            """###,
        "types-in-one-query": ###"""
            # types-in-one-query

            Two or more types in one sample or anchored query (`queryDescriptors:`, `predicates:`).
            A warning; for observer queries a note.

            A warning.

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
            from another module; a second query for the same types in the same function; `predicateForSamples(withStart: .distantPast, end: Date())`, which bounds a date and still means
            everything; `limit: Int.max`. Anchored queries are left alone: their first answer is meant to be everything.

            """###,
        "unit-mismatch": ###"""
            # unit-mismatch

            A unit that can't measure the type at all: steps read in metres, a heart rate saved in counts, a predicate
            that compares a heart rate with hours. An error.

            An error.

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
                    sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 1, sortDescriptors: nil
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
                    sampleType: HKQuantityType(.heartRate), predicate: nil, limit: 1, sortDescriptors: nil
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

            Samples and statistics are followed to their query through handlers, descriptors, collections, loops and
            functions of the target; workouts' totals, `statistics(for:)`, correlations' `objects(for:)` and activity
            summaries by their names. Quantities are followed into `HKQuantitySample` and `predicateForQuantitySamples`.

            It is silent if the type or the unit can be several of which one fits, if either comes from outside, and in a
            function that asks `is(compatibleWith:)` anywhere. Per cent and counts are one dimension, so that a share read
            as a count is no finding; neither is a unit that fits and is the wrong one (grams for kilograms).

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

            ## When to ignore

            A symbol that a later system may know and this tool doesn't yet: `// openhealth:ignore unit-string new in this
            autumn's system`.

            ## What it sees, and doesn't

            Literals, and what constants, branches and computed properties of the target lead to; the finding stands at
            the literal. Strings with interpolations, from a file, a server or another module are left alone. The grammar
            is the one of the `HealthKit` module here; it also reads `µg`, which exports contain, and the empty string,
            the unit of a plain number: both are silent. `mmol/L` is read too, moles of anything, which convert to no
            mass: [unit-mismatch](unit-mismatch.md) finds them where the type is known.

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

            Property lists and entitlements written as XML, and a `project.pbxproj`, beside the code of a target; one file
            that has the key is enough. Only what a request shows is asked for: sets that come from elsewhere are unknown.
            It says nothing where no such file is found, where a list is binary, where a project takes its settings from a
            configuration file (`.xcconfig`) or names an Info.plist that isn't there. It doesn't check what a text says, nor
            which of several targets lacks it.

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

            ## When to ignore

            A study that counts in UTC for all, or a window of 24 hours that ends now on purpose: `// openhealth:ignore
            utc-anchor-date the last 24 hours, whatever the day`.

            ## What it doesn't see

            Intervals shorter than a day are left alone, though a UTC hour is off in India. Dates and zones that are
            parameters, that are decoded, or that come from another module; the calendar inside `intervalComponents`; a
            fixed zone other than UTC. `Date()` and the distant past are found only where the interval is known to be a
            day or longer.

            """###,
    ]
}
