public import Foundation

// Each handler is a subscriber of its own. Its position in a type and filter advances when it
// returns. When it throws, the samples and deletions are delivered again after a delay, possibly in
// other batches. After the last retry delay, they are delivered again only at the next start or
// sync, unless the disk is full or the device is locked. Other handlers continue meanwhile.
extension Watcher {
    /// Adds a handler for the existing samples and the changes of a quantity type. Each one is
    /// delivered at least once for each filter with which the type is tracked.
    ///
    /// ```swift
    /// try await watcher.on(.dietaryProtein, unit: .gram()) { change in
    ///     for meal in change.added { diary[meal.id] = meal.value }
    ///     for id in change.deleted { diary[id] = nil }
    /// }
    /// ```
    /// - Parameters:
    ///   - identifier: The type; it must be tracked.
    ///   - unit: The unit of the delivered values.
    ///   - name: The name under which the handler's positions are stored. It must be the same at
    ///     each launch. If nil, it is the type's identifier, with "#2" for the type's second
    ///     unnamed handler and so on. Add unnamed handlers in the same order at each launch.
    ///   - firstRun: Which existing samples the handler gets first; nil for the watcher's policy.
    ///   - body: The handler.
    /// - Throws: ``SubscriberError``: the type isn't tracked, its values have another dimension
    ///   than the unit, or the name is in use.
    public func on(
        _ identifier: HKQuantityTypeIdentifier, unit: HKUnit, named name: String? = nil,
        firstRun: FirstRun? = nil, _ body: @escaping @Sendable (QuantityChange) async throws -> Void
    ) throws(SubscriberError) {
        let type = try tracked(identifier.rawValue)
        guard (type as? HKQuantityType)?.is(compatibleWith: unit) == true else {
            throw .incompatibleUnit(type: type.identifier, unit: unit.unitString)
        }
        try handle(type, name, firstRun) { try await body(QuantityChange($0, in: unit)) }
    }

    /// Adds a handler for the existing samples and the changes of a category type. Each one is
    /// delivered at least once for each filter with which the type is tracked.
    ///
    /// - Parameters:
    ///   - identifier: The type; it must be tracked.
    ///   - name: The name under which the handler's positions are stored, as for quantity types.
    ///   - firstRun: Which existing samples the handler gets first; nil for the watcher's policy.
    ///   - body: The handler.
    /// - Throws: ``SubscriberError``: the type isn't tracked, or the name is in use.
    public func on(
        _ identifier: HKCategoryTypeIdentifier, named name: String? = nil,
        firstRun: FirstRun? = nil, _ body: @escaping @Sendable (CategoryChange) async throws -> Void
    ) throws(SubscriberError) {
        let type = try tracked(identifier.rawValue)
        try handle(type, name, firstRun) { try await body(CategoryChange($0)) }
    }

    /// Adds a handler for the existing samples and the changes of any sample type. Each one is
    /// delivered at least once for each filter with which the type is tracked.
    ///
    /// - Parameters:
    ///   - type: The type; it must be tracked.
    ///   - name: The name under which the handler's positions are stored, as for quantity types.
    ///   - firstRun: Which existing samples the handler gets first; nil for the watcher's policy.
    ///   - body: The handler.
    /// - Throws: ``SubscriberError``: the type isn't tracked, or the name is in use.
    public func on(
        _ type: HKSampleType, named name: String? = nil, firstRun: FirstRun? = nil,
        _ body: @escaping @Sendable (SampleChange) async throws -> Void
    ) throws(SubscriberError) {
        let type = try tracked(type.identifier)
        try handle(type, name, firstRun) { try await body(SampleChange($0)) }
    }

    /// Adds a handler for the tracked types without a handler of their own, including types tracked
    /// later.
    ///
    /// A handler added with `on` or ``onNights(calendar:debounce:of:named:_:)`` excludes its types,
    /// also if it is added later. Destinations and ``batches(of:named:)`` exclude none.
    ///
    /// - Parameters:
    ///   - name: The name under which the handler's positions are stored. It must be the same at
    ///     each launch.
    ///   - firstRun: Which existing samples the handler gets first; nil for the watcher's policy.
    ///   - body: The handler.
    /// - Throws: ``SubscriberError/nameInUse(_:)`` if another handler has the name, whatever its
    ///   types.
    public func onOthers(
        named name: String = "others", firstRun: FirstRun? = nil,
        _ body: @escaping @Sendable (SampleChange) async throws -> Void
    ) throws(SubscriberError) {
        let handler = Handler { try await body(SampleChange($0)) }
        var subscriber = Subscriber(
            "handler:" + name, to: handler, positions: positions, of: .unhandled)
        subscriber.firstRun = firstRun
        try add(subscriber)
    }

    func tracked(_ identifier: String) throws(SubscriberError) -> HKSampleType {
        guard let type = types.first(where: { $0.sampleType.identifier == identifier }) else {
            throw .notTracked(type: identifier)
        }
        return type.sampleType
    }

    private func handle(
        _ type: HKSampleType, _ name: String?, _ firstRun: FirstRun?,
        _ body: @escaping @Sendable (ChangeBatch) async throws -> Void
    ) throws(SubscriberError) {
        var subscriber = Subscriber(
            handlerName(name, type), to: Handler(body: body), positions: positions,
            of: .types([type.identifier]))
        subscriber.isHandler = true
        subscriber.firstRun = firstRun
        try add(subscriber)
        // Handlers added by `onOthers` no longer read this type.
        let others = subscribers.filter {
            if case .unhandled = $0.selection { true } else { false }
        }
        .map(\.name)
        Task { await discard { others.contains($0.subscriber) && $0.type == type.identifier } }
    }

    private func handlerName(_ name: String?, _ type: HKSampleType) -> String {
        if let name { return "handler:" + name }
        let first = "handler:" + type.identifier
        let taken = Set(subscribers.map(\.name))
        var (next, number) = (first, 1)
        while taken.contains(next) {
            number += 1
            next = "\(first)#\(number)"
        }
        return next
    }
}

/// A batch of one type's existing samples or changes.
public struct SampleChange: Sendable {
    /// The type of the samples.
    public let sampleType: HKSampleType
    /// Whether the batch contains existing samples or changes.
    public let origin: ChangeBatch.Origin
    /// The existing samples, or the saved samples of a batch of changes.
    public let added: [HKSample]
    /// The UUIDs of deleted samples, including ones that were never delivered as added. Empty in a
    /// batch of existing samples.
    public let deleted: [UUID]

    init(_ batch: ChangeBatch) {
        sampleType = batch.sampleType
        origin = batch.origin
        added = batch.added
        deleted = batch.deleted.map(\.uuid)
    }
}

/// A batch of a quantity type's existing samples or changes, with values in the handler's unit.
public struct QuantityChange: Sendable {
    /// One sample's value.
    public struct Value: Sendable, Identifiable {
        /// The sample's UUID.
        public let id: UUID
        /// The value in the handler's unit.
        public let value: Double
        /// The interval from the sample's start to its end; empty if the end precedes the start.
        public let interval: DateInterval
        /// The app or device that saved the sample.
        public let source: HKSource
        /// The sample itself.
        public let sample: HKQuantitySample
    }

    /// Whether the batch contains existing samples or changes.
    public let origin: ChangeBatch.Origin
    /// The existing samples, or the saved samples of a batch of changes, without those in
    /// ``unreadable``.
    public let added: [Value]
    /// The UUIDs of deleted samples, including ones that were never delivered as added. Empty in a
    /// batch of existing samples.
    public let deleted: [UUID]
    /// The existing or saved samples whose values cannot be converted to the handler's unit. They
    /// are not in ``added``.
    public let unreadable: [HKSample]

    init(_ batch: ChangeBatch, in unit: HKUnit) {
        var values: [Value] = []
        var unreadable: [HKSample] = []
        for sample in batch.added {
            guard let quantity = sample as? HKQuantitySample,
                quantity.quantity.is(compatibleWith: unit)
            else {
                unreadable.append(sample)
                continue
            }
            values.append(
                Value(
                    id: sample.uuid, value: quantity.quantity.doubleValue(for: unit),
                    interval: sample.interval, source: sample.sourceRevision.source,
                    sample: quantity))
        }
        origin = batch.origin
        added = values
        deleted = batch.deleted.map(\.uuid)
        self.unreadable = unreadable
    }
}

/// A batch of a category type's existing samples or changes.
public struct CategoryChange: Sendable {
    /// One sample's value.
    public struct Value: Sendable, Identifiable {
        /// The sample's UUID.
        public let id: UUID
        /// The raw value of the category's enumeration.
        public let value: Int
        /// The interval from the sample's start to its end; empty if the end precedes the start.
        public let interval: DateInterval
        /// The app or device that saved the sample.
        public let source: HKSource
        /// The sample itself.
        public let sample: HKCategorySample
    }

    /// Whether the batch contains existing samples or changes.
    public let origin: ChangeBatch.Origin
    /// The existing samples, or the saved samples of a batch of changes.
    public let added: [Value]
    /// The UUIDs of deleted samples, including ones that were never delivered as added. Empty in a
    /// batch of existing samples.
    public let deleted: [UUID]

    init(_ batch: ChangeBatch) {
        origin = batch.origin
        added = batch.added.compactMap { sample in
            guard let category = sample as? HKCategorySample else { return nil }
            return Value(
                id: sample.uuid, value: category.value, interval: sample.interval,
                source: sample.sourceRevision.source, sample: category)
        }
        deleted = batch.deleted.map(\.uuid)
    }
}

extension HKSample {
    /// The interval from the sample's start to its end. It is empty if the end precedes the start,
    /// for which `DateInterval` would trap.
    var interval: DateInterval {
        DateInterval(start: startDate, end: max(startDate, endDate))
    }
}

/// A destination that calls a closure with each batch.
struct Handler: ChangeDestination {
    let body: @Sendable (ChangeBatch) async throws -> Void

    func receive(_ batch: ChangeBatch) async throws { try await body(batch) }
}
