import Foundation

extension Watcher {
    /// Sends existing samples and all later changes of types to a server, with the protocol of
    /// Documentation/Protocol.md.
    ///
    /// Each record is stored exactly once. After a restart, a lost answer or a restored server,
    /// sending continues at the server's position, or begins anew if that isn't known here any
    /// more; the server then finds that it has the records. Failures are retried with growing
    /// delays, except a refused token. Nothing is sent to any other address.
    ///
    /// - Parameters:
    ///   - target: The server and this device's token.
    ///   - types: The types to send; those that are not tracked send nothing. Nil for all tracked
    ///     types, including types tracked later.
    ///   - name: The name under which the positions are stored. It must be the same at each launch,
    ///     and another one for a second server.
    ///   - firstRun: Which existing samples are sent first; nil for the watcher's policy.
    ///   - timeZone: The person's time zone, from which the server takes where days begin unless it
    ///     knows another one; nil if it isn't known.
    ///   - transport: Sends a request; nil for URLSession.
    ///   - random: Returns random numbers from 0 to 1, for delays and cursors.
    /// - Returns: The push, which shows its state. Sending does not depend on it.
    /// - Throws: ``SubscriberError/noPositionFile`` if the watcher's position store is no
    ///   ``PositionFile``; ``SubscriberError/nameInUse(_:)``; errors of SQLite.
    public func push(
        to target: PushTarget, types: [HKSampleType]? = nil, named name: String = "push",
        firstRun: FirstRun? = nil, timeZone: TimeZone? = .current,
        transport: PushTransport? = nil,
        random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
    ) async throws -> Push {
        guard let file = positions as? PositionFile else { throw SubscriberError.noPositionFile }
        let journal = try await PushJournal(file, name)
        let sender = PushSender(
            target, journal, PushEncoder(store: store),
            isWhole: (firstRun ?? self.firstRun) == .everything, timeZone: timeZone,
            transport: transport ?? PushSession.transport(), now: now, random: random)
        var subscriber = Subscriber(
            name, to: sender, positions: file,
            of: types.map { .types(Set($0.map(\.identifier))) } ?? .everything)
        subscriber.firstRun = firstRun
        try add(subscriber)
        return Push(sender)
    }
}
