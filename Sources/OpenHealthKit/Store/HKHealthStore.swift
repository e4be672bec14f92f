public import Foundation

/// The door to a person's health data.
///
/// ```swift
/// let store = HKHealthStore()
/// try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
/// ```
/// ``init()`` says which store it is. Handlers run on background queues, never inside the call.
/// Safe to use from any thread. Who overrides a completion form changes the async form with it.
// Unchecked: immutable itself; what it holds has locks of its own.
open class HKHealthStore: NSObject, @unchecked Sendable {
    let connection: StoreConnection
    /// The app that this handle acts for. Not Apple's.
    public let identity: AppIdentity
    let runningQueries: RunningQueries
    let mirroringHandler = Locked<(@Sendable (HKWorkoutSession) -> Void)?>(nil)

    /// A handle of the default store: the file `$OPENHEALTH_STORE`; without it one store in memory
    /// in a process that runs tests, in any other the `openhealth` command's. It is opened by the
    /// first call; if it can't be, calls fail with `errorHealthDataUnavailable`.
    public override init() {
        connection = DefaultStore.connection()
        identity = .current
        runningQueries = connection.sharedRunningQueries()
    }

    /// A handle of an open store. Not Apple's.
    public init(_connection connection: StoreConnection, identity: AppIdentity) {
        self.connection = connection
        self.identity = identity
        runningQueries = connection.sharedRunningQueries()
    }

    deinit { runningQueries.ownerLeaves(ObjectIdentifier(self)) }
    /// Whether there is health data here: whether the default store can be opened.
    open class func isHealthDataAvailable() -> Bool { DefaultStore.isAvailable }

    /// Whether clinical records can be read: no.
    open func supportsHealthRecords() -> Bool { false }

    /// Whether the app may save samples of a type; says nothing about reading (§8.2).
    open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        sharingStatus(of: type)
    }

    /// Asks the person for what wasn't asked before; success means asked, not granted (§8.4).
    @preconcurrency
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        ask(toShare: typesToShare ?? [], read: typesToRead ?? [], completion)
    }

    /// Asks the person for what wasn't asked before.
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        try await succeeding {
            requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
        }
    }

    /// Asks which objects of a type may be read, for types that are granted object by object.
    @preconcurrency
    open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        askForObjects(of: objectType, completion)
    }

    /// Asks which objects of a type may be read, for types that are granted object by object.
    open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?
    ) async throws {
        try await succeeding {
            requestPerObjectReadAuthorization(
                for: objectType, predicate: predicate, completion: $0)
        }
    }

    /// Whether asking for these types would ask the person anything (§8.4).
    @preconcurrency
    open func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        requestStatus(toShare: typesToShare, read: typesToRead, completion)
    }

    /// Whether asking for these types would ask the person anything (§8.4).
    @discardableResult open func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        try await value { done in
            getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead) {
                done($1 == nil ? $0 : nil, $1)
            }
        }
    }

    /// Answers what an extension asked; there are none here, so it succeeds.
    @preconcurrency
    open func handleAuthorizationForExtension(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        handle { completion(true, nil) }
    }

    /// Answers what an extension asked; there are none here, so it succeeds.
    open func handleAuthorizationForExtension() async throws {
        try await succeeding { handleAuthorizationForExtension(completion: $0) }
    }

    /// Saving before it fails; queries silently start at it (§9.6).
    open func earliestPermittedSampleDate() -> Date { configuration.earliestPermittedSampleDate }

    /// Saves an object (§9).
    @preconcurrency
    open func save(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves an object (§9).
    open func save(_ object: HKObject) async throws {
        try await succeeding { save(object, withCompletion: $0) }
    }

    /// Saves objects, all of them or none (§9.4).
    @preconcurrency
    open func save(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.commit(objects, to: nil) }
    }

    /// Saves objects, all of them or none (§9.4).
    open func save(_ objects: [HKObject]) async throws {
        try await succeeding { save(objects, withCompletion: $0) }
    }

    /// Deletes an object that this app saved (§9.7).
    @preconcurrency
    open func delete(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes an object that this app saved (§9.7).
    open func delete(_ object: HKObject) async throws {
        try await succeeding { delete(object, withCompletion: $0) }
    }

    /// Deletes objects that this app saved, all of them or none (§9.7).
    @preconcurrency
    open func delete(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.remove(objects) }
    }

    /// Deletes objects that this app saved, all of them or none (§9.7).
    open func delete(_ objects: [HKObject]) async throws {
        try await succeeding { delete(objects, withCompletion: $0) }
    }

    /// Deletes those of the matching objects that this app saved, and counts them (§9.7).
    @preconcurrency
    open func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        removeObjects(of: objectType, predicate, completion)
    }

    /// Deletes those of the matching objects that this app saved, and counts them (§9.7).
    @discardableResult
    open func deleteObjects(of type: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try await value { done in
            deleteObjects(of: type, predicate: predicate) { done($0 ? $1 : nil, $2) }
        }
    }

    /// Runs a query, once; its handlers tell the results.
    open func execute(_ query: HKQuery) { startQuery(query) }

    /// Stops a query: no handler of it begins any more. May be called any number of times.
    open func stop(_ query: HKQuery) { stopQuery(query) }

    /// When the person was born, midnight in the store's calendar.
    open func dateOfBirth() throws -> Date { try birthday() }

    /// The person's date of birth: year, month and day (§8.13).
    open func dateOfBirthComponents() throws -> DateComponents { try birthdayComponents() }

    /// The person's sex; not set where it isn't known or may not be read (§8.13).
    open func biologicalSex() throws -> HKBiologicalSexObject {
        HKBiologicalSexObject(_value: try characteristic(.biologicalSex) ?? .notSet)
    }

    /// The person's blood type; not set where it isn't known or may not be read.
    open func bloodType() throws -> HKBloodTypeObject {
        HKBloodTypeObject(_value: try characteristic(.bloodType) ?? .notSet)
    }

    /// The person's skin type; not set where it isn't known or may not be read.
    open func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
        HKFitzpatrickSkinTypeObject(_value: try characteristic(.fitzpatrickSkinType) ?? .notSet)
    }

    /// Whether the person uses a wheelchair; not set where it isn't known or may not be read.
    open func wheelchairUse() throws -> HKWheelchairUseObject {
        HKWheelchairUseObject(_value: try characteristic(.wheelchairUse) ?? .notSet)
    }

    /// What the person's move ring measures: energy, unless something else is known.
    open func activityMoveMode() throws -> HKActivityMoveModeObject {
        HKActivityMoveModeObject(_value: try characteristic(.activityMoveMode) ?? .activeEnergy)
    }

    /// The units a person reads these types in (§9.8).
    @preconcurrency
    open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        tellUnits(for: quantityTypes, completion)
    }

    /// The units a person reads these types in (§9.8).
    @discardableResult open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>
    ) async throws -> [HKQuantityType: HKUnit] {
        try await value { done in
            preferredUnits(for: quantityTypes) { done($1 == nil ? $0 : nil, $1) }
        }
    }

    /// Splits energy by a model that isn't here: `errorHealthDataUnavailable`.
    @preconcurrency
    open func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        handle { resultsHandler(nil, nil, HKError.absent("A model of the person’s basal energy")) }
    }

    /// Starts the system's estimates anew: there are none here, so it reports an error.
    @preconcurrency
    open func recalibrateEstimates(
        sampleType: HKSampleType, date: Date,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let error = recalibrationError(of: sampleType)
        handle { completion(false, error) }
    }

    /// Starts the system's estimates anew; see the completion form.
    open func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
        try await succeeding {
            recalibrateEstimates(sampleType: sampleType, date: date, completion: $0)
        }
    }

    /// Wakes the app's observers of a type while it is in the background (§7.3).
    @preconcurrency
    open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.enableDelivery(of: type, frequency) }
    }

    /// Wakes the app's observers of a type while it is in the background (§7.3).
    open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency
    ) async throws {
        try await succeeding {
            enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0)
        }
    }

    /// Wakes the app for a type no more.
    @preconcurrency
    open func disableBackgroundDelivery(
        for type: HKObjectType,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { $0.backgroundDelivery.disable(type.identifier) }
    }

    /// Wakes the app for a type no more.
    open func disableBackgroundDelivery(for type: HKObjectType) async throws {
        try await succeeding { disableBackgroundDelivery(for: type, withCompletion: $0) }
    }

    /// Wakes the app for nothing any more.
    @preconcurrency
    open func disableAllBackgroundDelivery(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { $0.backgroundDelivery.disableAll() }
    }

    /// Wakes the app for nothing any more.
    open func disableAllBackgroundDelivery() async throws {
        try await succeeding { disableAllBackgroundDelivery(completion: $0) }
    }

    /// Saves samples and makes them members of a saved workout (§10.8).
    @preconcurrency
    open func add(
        _ samples: [HKSample], to workout: HKWorkout,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.commit(samples, associatedWith: workout) }
    }

    /// Saves samples and makes them members of a saved workout (§10.8).
    open func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
        try await succeeding { add(samples, to: workout, completion: $0) }
    }

    /// Starts the app on the watch: there is none, so it is `errorHealthDataUnavailable`.
    @preconcurrency
    open func startWatchApp(
        with workoutConfiguration: HKWorkoutConfiguration,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        handle { completion(false, HKError.absent("A watch")) }
    }

    /// Starts the app on the watch: there is none, so it throws `errorHealthDataUnavailable`.
    open func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
        try await succeeding { startWatchApp(with: workoutConfiguration, completion: $0) }
    }

    /// The workout session that this app has under way; nil without one.
    @preconcurrency open func recoverActiveWorkoutSession(
        completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
    ) {
        handle { [self] in completion(ActiveSessions.session(of: self), nil) }
    }

    /// The workout session that this app has under way; nil without one.
    @discardableResult open func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
        try await value { done in recoverActiveWorkoutSession { done(.some($0), $1) } }
    }

    /// Called for a session mirrored from a watch: never, since there is none.
    open var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
        get { mirroringHandler { $0 } }
        set { mirroringHandler.exchange(newValue) }
    }

    /// Gives an effort score to a workout or one of its activities.
    @preconcurrency
    open func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.relateEffort(sample, to: workout, activity) }
    }

    /// Gives an effort score to a workout or one of its activities.
    @discardableResult open func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await value {
            relateWorkoutEffortSample(sample, with: workout, activity: activity, completion: $0)
        }
    }

    /// Takes an effort score from a workout or one of its activities.
    @preconcurrency
    open func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.unrelateEffort(sample, from: workout, activity) }
    }

    /// Takes an effort score from a workout or one of its activities.
    @discardableResult open func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await value {
            unrelateWorkoutEffortSample(sample, from: workout, activity: activity, completion: $0)
        }
    }
}
