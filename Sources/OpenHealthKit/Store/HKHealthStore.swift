public import Foundation

/// A handle of a store of health data.
///
/// ```swift
/// let store = HKHealthStore()
/// try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
/// ```
/// See ``init()`` for which store it opens. Handlers run on background queues, never inside the
/// call. Safe to use from any thread. The async methods call the completion-handler methods, so a
/// subclass that overrides a completion-handler method changes both.
// Unchecked: immutable itself; its shared state is locked.
open class HKHealthStore: NSObject, @unchecked Sendable {
    let connection: StoreConnection
    /// The app that this handle acts for. Not part of Apple's API.
    public let identity: AppIdentity
    let runningQueries: RunningQueries
    let mirroringHandler = Locked<(@Sendable (HKWorkoutSession) -> Void)?>(nil)
    let mirrorReceiver = Locked<MirrorReceiver?>(nil)

    /// Creates a handle of the default store: the file `$OPENHEALTH_STORE` if set, otherwise one
    /// in-memory store in a test process, otherwise the file of the `openhealth` command.
    ///
    /// The store is opened by the first call that needs it. If that fails, the call reports an
    /// ``HKError``: for example `errorHealthDataUnavailable` if the file is not a readable store,
    /// or `errorDatabaseInaccessible` if it is busy. Later calls try again.
    public override init() {
        connection = DefaultStore.connection()
        identity = .current
        runningQueries = connection.sharedRunningQueries()
    }

    /// Creates a handle of the store of a connection, which opens the store on first use. Not part
    /// of Apple's API.
    ///
    /// - Parameters:
    ///   - connection: The connection to the store.
    ///   - identity: The app that the handle acts for.
    public init(_connection connection: StoreConnection, identity: AppIdentity) {
        self.connection = connection
        self.identity = identity
        runningQueries = connection.sharedRunningQueries()
    }

    deinit { runningQueries.removeOwner(ObjectIdentifier(self)) }
    /// Returns whether the default store can be opened or created.
    ///
    /// - Returns: Whether health data is available.
    open class func isHealthDataAvailable() -> Bool { DefaultStore.isAvailable }

    /// Returns whether clinical records are supported. Apps ask before they request authorization
    /// for clinical types. Records come from imports.
    ///
    /// - Returns: True.
    open func supportsHealthRecords() -> Bool { true }

    /// Returns whether the app may save samples of a type. It does not depend on read permission
    /// (Semantics §8.2).
    ///
    /// - Parameter type: The type.
    /// - Returns: The status of sharing. `notDetermined` for a type that was never requested, for
    ///   correlation types, and if the store cannot be opened.
    open func authorizationStatus(for type: HKObjectType) -> HKAuthorizationStatus {
        sharingStatus(of: type)
    }

    /// Requests authorization for the types without a decision. Success means that the request was
    /// handled, not that it was granted (Semantics §8.4).
    ///
    /// With ``AuthorizationPolicy/stored``, nobody is prompted. A type without a decision is then
    /// `errorAuthorizationNotDetermined`.
    ///
    /// - Parameters:
    ///   - typesToShare: The types to save; nil for none.
    ///   - typesToRead: The types to read; nil for none.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>?, read typesToRead: Set<HKObjectType>?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        performAuthorizationRequest(
            toShare: typesToShare ?? [], read: typesToRead ?? [], completion)
    }

    /// Requests authorization for the types without a decision. Returning means that the request
    /// was handled, not that it was granted (Semantics §8.4).
    ///
    /// - Parameters:
    ///   - typesToShare: The types to save.
    ///   - typesToRead: The types to read.
    /// - Throws: `errorInvalidArgument` if both sets are empty or a type cannot be requested;
    ///   `errorAuthorizationNotDetermined` for a type without a decision if the policy is
    ///   ``AuthorizationPolicy/stored``; another ``HKError``.
    open func requestAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws {
        try await awaitSuccess {
            requestAuthorization(toShare: typesToShare, read: typesToRead, completion: $0)
        }
    }

    /// Requests read authorization for single objects of a type (Semantics §8.12).
    ///
    /// Each request is decided again, by ``AuthorizationPolicy/choosingObjects(_:)`` or the decision
    /// for the type. Objects that are not granted look like missing data in every query. An object
    /// that is granted after it was saved is part of the changes since an earlier anchor.
    ///
    /// - Parameters:
    ///   - objectType: A type whose objects are granted separately, such as
    ///     ``HKObjectType/visionPrescriptionType()``.
    ///   - predicate: Which objects are requested; nil for all.
    ///   - completion: Receives whether the request was handled, and the error. Success does not
    ///     mean that an object was granted. Called on a background queue.
    @preconcurrency
    open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        performObjectAuthorizationRequest(for: objectType, predicate, completion)
    }

    /// Requests read authorization for single objects of a type, like
    /// ``requestPerObjectReadAuthorization(for:predicate:completion:)``.
    ///
    /// - Parameters:
    ///   - objectType: A type whose objects are granted separately.
    ///   - predicate: Which objects are requested; nil for all.
    /// - Throws: `errorInvalidArgument` for a type whose objects are not granted separately and for
    ///   an unsupported predicate; `errorAuthorizationNotDetermined` if the policy is
    ///   ``AuthorizationPolicy/stored`` and nothing is decided; another ``HKError``.
    open func requestPerObjectReadAuthorization(
        for objectType: HKObjectType, predicate: NSPredicate?
    ) async throws {
        try await awaitSuccess {
            requestPerObjectReadAuthorization(
                for: objectType, predicate: predicate, completion: $0)
        }
    }

    /// Reports whether the app should request authorization for these types (Semantics §8.4).
    ///
    /// - Parameters:
    ///   - typesToShare: The types to save.
    ///   - typesToRead: The types to read.
    ///   - completion: Receives a status and nil: `shouldRequest` if there is no decision yet about
    ///     saving or reading one of the types, otherwise `unnecessary`. Receives `unknown` and the
    ///     error on failure. Called on a background queue.
    @preconcurrency
    open func getRequestStatusForAuthorization(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>,
        completion: @escaping @Sendable (HKAuthorizationRequestStatus, (any Error)?) -> Void
    ) {
        requestStatus(toShare: typesToShare, read: typesToRead, completion)
    }

    /// Returns whether the app should request authorization for these types (Semantics §8.4).
    ///
    /// - Parameters:
    ///   - typesToShare: The types to save.
    ///   - typesToRead: The types to read.
    /// - Returns: `shouldRequest` if there is no decision yet about saving or reading one of the
    ///   types, otherwise `unnecessary`.
    /// - Throws: `errorInvalidArgument` if both sets are empty or a type cannot be requested, or
    ///   another ``HKError``.
    @discardableResult open func statusForAuthorizationRequest(
        toShare typesToShare: Set<HKSampleType>, read typesToRead: Set<HKObjectType>
    ) async throws -> HKAuthorizationRequestStatus {
        try await awaitValue { done in
            getRequestStatusForAuthorization(toShare: typesToShare, read: typesToRead) {
                done($1 == nil ? $0 : nil, $1)
            }
        }
    }

    /// Handles authorization requests of app extensions. There are no extensions here, so this call
    /// does nothing and succeeds.
    ///
    /// - Parameter completion: Receives true and no error. Called on a background queue.
    @preconcurrency
    open func handleAuthorizationForExtension(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        handle { completion(true, nil) }
    }

    /// Handles authorization requests of app extensions. There are no extensions here, so this call
    /// does nothing and succeeds.
    ///
    /// - Throws: Nothing here; the declaration matches Apple's.
    open func handleAuthorizationForExtension() async throws {
        try await awaitSuccess { handleAuthorizationForExtension(completion: $0) }
    }

    /// Returns the earliest permitted sample date. Saving an earlier sample fails; queries silently
    /// begin at this date (Semantics §9.6).
    ///
    /// - Returns: The date.
    open func earliestPermittedSampleDate() -> Date { configuration.earliestPermittedSampleDate }

    /// Saves an object (Semantics §9).
    ///
    /// - Parameters:
    ///   - object: The object; it must be a sample.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func save(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves an object (Semantics §9).
    ///
    /// - Parameter object: The object; it must be a sample.
    /// - Throws: `errorInvalidArgument` for an invalid object or one that is already stored,
    ///   `errorAuthorizationNotDetermined` or `errorAuthorizationDenied` if the app may not share
    ///   its type, or another ``HKError``.
    open func save(_ object: HKObject) async throws {
        try await awaitSuccess { save(object, withCompletion: $0) }
    }

    /// Saves objects in one transaction (Semantics §9.4).
    ///
    /// - Parameters:
    ///   - objects: The objects; at least one.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func save(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.commit(objects, to: nil) }
    }

    /// Saves objects in one transaction (Semantics §9.4).
    ///
    /// - Parameter objects: The objects; at least one.
    /// - Throws: `errorInvalidArgument` for an empty array, an invalid object or one that is
    ///   already stored, `errorAuthorizationNotDetermined` or `errorAuthorizationDenied` if the app
    ///   may not share a type, or another ``HKError``. Then no object is saved.
    open func save(_ objects: [HKObject]) async throws {
        try await awaitSuccess { save(objects, withCompletion: $0) }
    }

    /// Deletes an object that this app saved (Semantics §9.7).
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func delete(
        _ object: HKObject,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        delete([object], withCompletion: completion)
    }

    /// Deletes an object that this app saved (Semantics §9.7).
    ///
    /// - Parameter object: The object.
    /// - Throws: `errorInvalidArgument` for an object that is not stored,
    ///   `errorAuthorizationDenied` for an object of another app, `errorAuthorizationNotDetermined`
    ///   or `errorAuthorizationDenied` if the app may not share its type, or another ``HKError``.
    open func delete(_ object: HKObject) async throws {
        try await awaitSuccess { delete(object, withCompletion: $0) }
    }

    /// Deletes objects that this app saved, in one transaction (Semantics §9.7).
    ///
    /// - Parameters:
    ///   - objects: The objects; at least one.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func delete(
        _ objects: [HKObject],
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.remove(objects) }
    }

    /// Deletes objects that this app saved, in one transaction (Semantics §9.7).
    ///
    /// - Parameter objects: The objects; at least one.
    /// - Throws: `errorInvalidArgument` for an empty array or an object that is not stored,
    ///   `errorAuthorizationDenied` for an object of another app, `errorAuthorizationNotDetermined`
    ///   or `errorAuthorizationDenied` if the app may not share a type, or another ``HKError``.
    ///   Then no object is deleted.
    open func delete(_ objects: [HKObject]) async throws {
        try await awaitSuccess { delete(objects, withCompletion: $0) }
    }

    /// Deletes the matching objects that this app saved (Semantics §9.7).
    ///
    /// - Parameters:
    ///   - objectType: The type of the objects.
    ///   - predicate: Which objects to delete.
    ///   - completion: Receives true, the number of deleted objects and nil, or false, 0 and the
    ///     error. Called on a background queue.
    @preconcurrency
    open func deleteObjects(
        of objectType: HKObjectType, predicate: NSPredicate,
        withCompletion completion: @escaping @Sendable (Bool, Int, (any Error)?) -> Void
    ) {
        removeObjects(of: objectType, predicate, completion)
    }

    /// Deletes the matching objects that this app saved (Semantics §9.7).
    ///
    /// - Parameters:
    ///   - type: The type of the objects.
    ///   - predicate: Which objects to delete.
    /// - Returns: The number of deleted objects.
    /// - Throws: `errorInvalidArgument` for a predicate that a query would reject, or for a type
    ///   that is not a sample type or not in the catalogue; `errorAuthorizationNotDetermined` or
    ///   `errorAuthorizationDenied` if the app may not share the type; `errorDatabaseInaccessible`
    ///   while the device is locked; another ``HKError``.
    @discardableResult
    open func deleteObjects(of type: HKObjectType, predicate: NSPredicate) async throws -> Int {
        try await awaitValue { done in
            deleteObjects(of: type, predicate: predicate) { done($0 ? $1 : nil, $2) }
        }
    }

    /// Executes a query. The handlers of the query receive the results and errors.
    ///
    /// A query can be executed only once. Its handler receives `errorInvalidArgument` for another
    /// execution.
    ///
    /// - Parameter query: The query.
    open func execute(_ query: HKQuery) { startQuery(query) }

    /// Stops a query: none of its handlers starts afterwards. Has no effect on a query that was
    /// never executed. Can be called any number of times.
    ///
    /// - Parameter query: The query.
    open func stop(_ query: HKQuery) { stopQuery(query) }

    /// Returns the date of birth, as the start of that day in the Gregorian calendar and the time
    /// zone of the store's calendar.
    ///
    /// - Returns: The date.
    /// - Throws: `errorNoData` if it is not set or reading was denied,
    ///   `errorAuthorizationNotDetermined` if it was never requested, `errorDatabaseInaccessible`
    ///   while the device is locked, or another ``HKError``.
    open func dateOfBirth() throws -> Date { try birthday() }

    /// Returns the year, month and day of birth in the Gregorian calendar (Semantics §8.13).
    ///
    /// - Returns: The components, with the calendar and the era.
    /// - Throws: `errorNoData` if it is not set or reading was denied,
    ///   `errorAuthorizationNotDetermined` if it was never requested, `errorDatabaseInaccessible`
    ///   while the device is locked, or another ``HKError``.
    open func dateOfBirthComponents() throws -> DateComponents { try birthdayComponents() }

    /// Returns the person's sex (Semantics §8.13).
    ///
    /// - Returns: The sex; `notSet` if it is not set or reading was denied.
    /// - Throws: `errorAuthorizationNotDetermined` if it was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another ``HKError``.
    open func biologicalSex() throws -> HKBiologicalSexObject {
        HKBiologicalSexObject(_value: try characteristic(.biologicalSex) ?? .notSet)
    }

    /// Returns the person's blood type (Semantics §8.13).
    ///
    /// - Returns: The blood type; `notSet` if it is not set or reading was denied.
    /// - Throws: `errorAuthorizationNotDetermined` if it was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another ``HKError``.
    open func bloodType() throws -> HKBloodTypeObject {
        HKBloodTypeObject(_value: try characteristic(.bloodType) ?? .notSet)
    }

    /// Returns the person's skin type (Semantics §8.13).
    ///
    /// - Returns: The skin type; `notSet` if it is not set or reading was denied.
    /// - Throws: `errorAuthorizationNotDetermined` if it was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another ``HKError``.
    open func fitzpatrickSkinType() throws -> HKFitzpatrickSkinTypeObject {
        HKFitzpatrickSkinTypeObject(_value: try characteristic(.fitzpatrickSkinType) ?? .notSet)
    }

    /// Returns whether the person uses a wheelchair (Semantics §8.13).
    ///
    /// - Returns: The wheelchair use; `notSet` if it is not set or reading was denied.
    /// - Throws: `errorAuthorizationNotDetermined` if it was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another ``HKError``.
    open func wheelchairUse() throws -> HKWheelchairUseObject {
        HKWheelchairUseObject(_value: try characteristic(.wheelchairUse) ?? .notSet)
    }

    /// Returns whether the person's move ring measures energy or time (Semantics §8.13).
    ///
    /// - Returns: The mode; `activeEnergy` if it is not set or reading was denied.
    /// - Throws: `errorAuthorizationNotDetermined` if it was never requested,
    ///   `errorDatabaseInaccessible` while the device is locked, or another ``HKError``.
    open func activityMoveMode() throws -> HKActivityMoveModeObject {
        HKActivityMoveModeObject(_value: try characteristic(.activityMoveMode) ?? .activeEnergy)
    }

    /// Reports the display units of types (Semantics §9.8).
    ///
    /// - Parameters:
    ///   - quantityTypes: The types.
    ///   - completion: Receives the units by type, or no units and the error. Called on a
    ///     background queue.
    @preconcurrency
    open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>,
        completion: @escaping @Sendable ([HKQuantityType: HKUnit], (any Error)?) -> Void
    ) {
        fetchPreferredUnits(for: quantityTypes, completion)
    }

    /// Returns the display units of types (Semantics §9.8).
    ///
    /// - Parameter quantityTypes: The types.
    /// - Returns: The units by type, without types that have no known unit.
    /// - Throws: ``HKError``; `errorAuthorizationNotDetermined` for a type that was never
    ///   requested.
    @discardableResult open func preferredUnits(
        for quantityTypes: Set<HKQuantityType>
    ) async throws -> [HKQuantityType: HKUnit] {
        try await awaitValue { done in
            preferredUnits(for: quantityTypes) { done($1 == nil ? $0 : nil, $1) }
        }
    }

    /// Splits energy into active and basal energy. Not implemented: reports
    /// `errorHealthDataUnavailable`.
    ///
    /// - Parameters:
    ///   - totalEnergy: Ignored.
    ///   - startDate: Ignored.
    ///   - endDate: Ignored.
    ///   - resultsHandler: Receives no quantities and the error. Called on a background queue.
    @preconcurrency
    open func splitTotalEnergy(
        _ totalEnergy: HKQuantity, start startDate: Date, end endDate: Date,
        resultsHandler: @escaping @Sendable (HKQuantity?, HKQuantity?, (any Error)?) -> Void
    ) {
        handle {
            resultsHandler(nil, nil, HKError.unavailable("A model of the person’s basal energy"))
        }
    }

    /// Recalibrates the system's estimates. There are no estimates here, so this call always
    /// reports an error.
    ///
    /// - Parameters:
    ///   - sampleType: The type of the estimates.
    ///   - date: Ignored.
    ///   - completion: Receives false and the error. Called on a background queue.
    @preconcurrency
    open func recalibrateEstimates(
        sampleType: HKSampleType, date: Date,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let error = recalibrationError(of: sampleType)
        handle { completion(false, error) }
    }

    /// Recalibrates the system's estimates. There are no estimates here, so this call always
    /// throws an error.
    ///
    /// - Parameters:
    ///   - sampleType: The type of the estimates.
    ///   - date: Ignored.
    /// - Throws: `errorHealthDataUnavailable`, or `errorInvalidArgument` for a type without
    ///   estimates.
    open func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
        try await awaitSuccess {
            recalibrateEstimates(sampleType: sampleType, date: date, completion: $0)
        }
    }

    /// Enables background delivery for a type: changes of the type call the app's observers while
    /// the app is suspended (Semantics §7.3). See ``BackgroundDelivery``.
    ///
    /// - Parameters:
    ///   - type: A characteristic type, or a sample type other than a correlation type.
    ///   - frequency: The maximum rate of deliveries to one observer.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.enableDelivery(of: type, frequency) }
    }

    /// Enables background delivery for a type: changes of the type call the app's observers while
    /// the app is suspended (Semantics §7.3). See ``BackgroundDelivery``.
    ///
    /// - Parameters:
    ///   - type: A characteristic type, or a sample type other than a correlation type.
    ///   - frequency: The maximum rate of deliveries to one observer.
    /// - Throws: `errorInvalidArgument` for a type without background delivery,
    ///   `errorAuthorizationDenied` without the entitlement, `errorAuthorizationNotDetermined` for
    ///   a type that was never requested, or another ``HKError``.
    open func enableBackgroundDelivery(
        for type: HKObjectType, frequency: HKUpdateFrequency
    ) async throws {
        try await awaitSuccess {
            enableBackgroundDelivery(for: type, frequency: frequency, withCompletion: $0)
        }
    }

    /// Disables background delivery for a type.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func disableBackgroundDelivery(
        for type: HKObjectType,
        withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { $0.backgroundDelivery.disable(type.identifier) }
    }

    /// Disables background delivery for a type.
    ///
    /// - Parameter type: The type.
    /// - Throws: Nothing here; the declaration matches Apple's.
    open func disableBackgroundDelivery(for type: HKObjectType) async throws {
        try await awaitSuccess { disableBackgroundDelivery(for: type, withCompletion: $0) }
    }

    /// Disables background delivery for all types.
    ///
    /// - Parameter completion: Receives whether it succeeded, and the error. Called on a background
    ///   queue.
    @preconcurrency
    open func disableAllBackgroundDelivery(
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { $0.backgroundDelivery.disableAll() }
    }

    /// Disables background delivery for all types.
    ///
    /// - Throws: Nothing here; the declaration matches Apple's.
    open func disableAllBackgroundDelivery() async throws {
        try await awaitSuccess { disableAllBackgroundDelivery(completion: $0) }
    }

    /// Saves samples that are not stored yet, and associates all samples with a saved workout
    /// (Semantics §10.8).
    ///
    /// - Parameters:
    ///   - samples: The samples; at least one.
    ///   - workout: The workout.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func add(
        _ samples: [HKSample], to workout: HKWorkout,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.commit(samples, associatedWith: workout) }
    }

    /// Saves samples that are not stored yet, and associates all samples with a saved workout
    /// (Semantics §10.8).
    ///
    /// - Parameters:
    ///   - samples: The samples; at least one.
    ///   - workout: The workout.
    /// - Throws: `errorInvalidArgument` for an empty array, an invalid sample or a workout that is
    ///   not stored, `errorAuthorizationNotDetermined` or `errorAuthorizationDenied` if the app may
    ///   not share a type, or another ``HKError``.
    open func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
        try await awaitSuccess { add(samples, to: workout, completion: $0) }
    }

    /// Starts the app on a watch. There is no watch here, so this call always reports
    /// `errorHealthDataUnavailable`.
    ///
    /// - Parameters:
    ///   - workoutConfiguration: Ignored.
    ///   - completion: Receives false and the error. Called on a background queue.
    @preconcurrency
    open func startWatchApp(
        with workoutConfiguration: HKWorkoutConfiguration,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        handle { completion(false, HKError.unavailable("A watch")) }
    }

    /// Starts the app on a watch. There is no watch here, so this call always throws
    /// `errorHealthDataUnavailable`.
    ///
    /// - Parameter workoutConfiguration: Ignored.
    /// - Throws: `errorHealthDataUnavailable`.
    open func startWatchApp(toHandle workoutConfiguration: HKWorkoutConfiguration) async throws {
        try await awaitSuccess { startWatchApp(with: workoutConfiguration, completion: $0) }
    }

    /// Reports the active workout session of this app on this store: the one that this process
    /// started, or the one of a process that ended without ending its session.
    ///
    /// A recovered session has the state and the dates that it had, and its builder what it had
    /// collected. Set their delegates and the builder's data source again; the builder then also
    /// collects what was saved meanwhile. A route that was not finished is not recovered. The
    /// session of a process that is still running is not recovered.
    ///
    /// - Parameter completion: Receives the session and nil, nil and nil if there is none, or nil
    ///   and the error if the store cannot be read. Called on a background queue.
    @preconcurrency open func recoverActiveWorkoutSession(
        completion: @escaping @Sendable (HKWorkoutSession?, (any Error)?) -> Void
    ) {
        handle { [self] in
            do { completion(try HKWorkoutSession.active(of: self), nil) } catch {
                completion(nil, HKError(reporting: error))
            }
        }
    }

    /// Returns the active workout session of this app on this store; see
    /// ``recoverActiveWorkoutSession(completion:)``.
    ///
    /// - Returns: The session; nil if there is none.
    /// - Throws: ``HKError`` if the store cannot be read.
    @discardableResult open func recoverActiveWorkoutSession() async throws -> HKWorkoutSession? {
        try await awaitValue { done in
            recoverActiveWorkoutSession { session, error in
                done(error == nil ? .some(session) : nil, error)
            }
        }
    }

    /// The handler for sessions that another device mirrors to this app, see
    /// ``HKWorkoutSession/startMirroringToCompanionDevice(completion:)``. Set it when the app
    /// starts. It is called on a background queue for each session, again after a disconnection,
    /// and as long as this handle exists.
    open var workoutSessionMirroringStartHandler: (@Sendable (HKWorkoutSession) -> Void)? {
        get { mirroringHandler { $0 } }
        set {
            mirroringHandler.exchange(newValue)
            if newValue == nil {
                mirrorReceiver.exchange(nil)
            } else if mirrorReceiver({ $0 == nil }) {
                mirrorReceiver.exchange(MirrorReceiver(self))
            }
        }
    }

    /// Associates an effort score with a stored workout or one of its activities. Saves the score
    /// if it is not stored yet.
    ///
    /// - Parameters:
    ///   - sample: The effort score.
    ///   - workout: The workout.
    ///   - activity: The activity; nil for the workout itself.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.relateEffort(sample, to: workout, activity) }
    }

    /// Associates an effort score with a stored workout or one of its activities. Saves the score
    /// if it is not stored yet.
    ///
    /// - Parameters:
    ///   - sample: The effort score.
    ///   - workout: The workout.
    ///   - activity: The activity; nil for the workout itself.
    /// - Returns: True.
    /// - Throws: `errorInvalidArgument` for a sample that is not an effort score, a workout that is
    ///   not stored or an activity of another workout, `errorAuthorizationDenied` if the app may
    ///   not share workouts, or another ``HKError``.
    @discardableResult open func relateWorkoutEffortSample(
        _ sample: HKSample, with workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await awaitValue {
            relateWorkoutEffortSample(sample, with: workout, activity: activity, completion: $0)
        }
    }

    /// Removes the association of an effort score with a workout or one of its activities.
    ///
    /// - Parameters:
    ///   - sample: The effort score.
    ///   - workout: The workout.
    ///   - activity: The activity; nil for the workout itself.
    ///   - completion: Receives whether it succeeded, and the error. Called on a background queue.
    @preconcurrency
    open func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        write(completion) { try $0.unrelateEffort(sample, from: workout, activity) }
    }

    /// Removes the association of an effort score with a workout or one of its activities.
    ///
    /// - Parameters:
    ///   - sample: The effort score.
    ///   - workout: The workout.
    ///   - activity: The activity; nil for the workout itself.
    /// - Returns: True.
    /// - Throws: `errorInvalidArgument` for a sample that is not an effort score, a sample or
    ///   workout that is not stored or an activity of another workout, `errorAuthorizationDenied`
    ///   if the app may not share workouts, or another ``HKError``.
    @discardableResult open func unrelateWorkoutEffortSample(
        _ sample: HKSample, from workout: HKWorkout, activity: HKWorkoutActivity?
    ) async throws -> Bool {
        try await awaitValue {
            unrelateWorkoutEffortSample(sample, from: workout, activity: activity, completion: $0)
        }
    }
}
