// Each handler is a lane of its own: its positions move on when it returns, and when it throws the same
// batch comes again, while the others go on.
extension Watcher {
    /// Calls a handler with what happens to a quantity, at least once for each change.
    ///
    /// ```swift
    /// try await watcher.on(.dietaryProtein, unit: .gram()) { change in
    ///     for meal in change.added { diary[meal.id] = meal.value }
    ///     for id in change.deleted { diary[id] = nil }
    /// }
    /// ```
    /// - Parameters:
    ///   - name: What its positions are kept under, the same at each launch; the type's identifier if
    ///     nil, with "#2" for the second of a type and so on.
    ///   - firstRun: What it begins with, if not as the watcher's other lanes.
    /// - Throws: ``LaneError``: the type isn't tracked or has no values in the unit, or the name is in
    ///   use.
    public func on(
        _ identifier: HKQuantityTypeIdentifier, unit: HKUnit, named name: String? = nil,
        firstRun: FirstRun? = nil, _ body: @escaping @Sendable (QuantityChange) async throws -> Void
    ) throws(LaneError) {
        let type = try tracked(identifier.rawValue)
        guard (type as? HKQuantityType)?.is(compatibleWith: unit) == true else {
            throw .incompatibleUnit(type: type.identifier, unit: unit.unitString)
        }
        try handle(type, name, firstRun) { try await body(QuantityChange($0, in: unit)) }
    }

    /// Calls a handler with what happens to a category, at least once for each change; otherwise as for
    /// quantities.
    public func on(
        _ identifier: HKCategoryTypeIdentifier, named name: String? = nil,
        firstRun: FirstRun? = nil, _ body: @escaping @Sendable (CategoryChange) async throws -> Void
    ) throws(LaneError) {
        let type = try tracked(identifier.rawValue)
        try handle(type, name, firstRun) { try await body(CategoryChange($0)) }
    }

    /// Calls a handler with what happens to samples of any type, at least once for each change;
    /// otherwise as for quantities.
    public func on(
        _ type: HKSampleType, named name: String? = nil, firstRun: FirstRun? = nil,
        _ body: @escaping @Sendable (SampleChange) async throws -> Void
    ) throws(LaneError) {
        let type = try tracked(type.identifier)
        try handle(type, name, firstRun) { try await body(SampleChange($0)) }
    }

    /// Calls a handler with what happens to tracked types that have no handler of their own, also those
    /// tracked later.
    ///
    /// - Throws: ``LaneError/nameInUse(_:)``.
    public func onOthers(
        named name: String = "others", firstRun: FirstRun? = nil,
        _ body: @escaping @Sendable (SampleChange) async throws -> Void
    ) throws(LaneError) {
        let handler = Handler { try await body(SampleChange($0)) }
        var lane = Lane(
            "handler:" + name, to: handler, positions: positions, of: .unhandled)
        lane.firstRun = firstRun
        try add(lane)
    }

    func tracked(_ identifier: String) throws(LaneError) -> HKSampleType {
        guard let type = types.first(where: { $0.sampleType.identifier == identifier }) else {
            throw .notTracked(type: identifier)
        }
        return type.sampleType
    }

    private func handle(
        _ type: HKSampleType, _ name: String?, _ firstRun: FirstRun?,
        _ body: @escaping @Sendable (ChangeBatch) async throws -> Void
    ) throws(LaneError) {
        var lane = Lane(
            handlerName(name, type), to: Handler(body: body), positions: positions,
            of: .types([type.identifier]))
        lane.isHandler = true
        lane.firstRun = firstRun
        try add(lane)
        // The fallback leaves the type to it.
        let others = lanes.filter { if case .unhandled = $0.selection { true } else { false } }
            .map(\.name)
        Task { await discard { others.contains($0.lane) && $0.type == type.identifier } }
    }

    private func handlerName(_ name: String?, _ type: HKSampleType) -> String {
        if let name { return "handler:" + name }
        let first = "handler:" + type.identifier
        let taken = Set(lanes.map(\.name))
        var (next, number) = (first, 1)
        while taken.contains(next) {
            number += 1
            next = "\(first)#\(number)"
        }
        return next
    }
}
