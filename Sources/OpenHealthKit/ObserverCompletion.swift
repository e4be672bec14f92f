/// The promise behind an observer's completion handler: to be called once, in time.
///
/// The closure given to the app holds it. Dropped without a call it counts as broken at once, so
/// that a handler that forgets is found without waiting.
final class ObserverCompletion: Sendable {
    enum Outcome: Sendable { case called, dropped }

    private let settle: Locked<(@Sendable (Outcome) -> Void)?>

    private let hold: ClockHold?

    /// - Parameters:
    ///   - hold: What a clock that is moved by hand waits for; over when the promise is.
    ///   - settle: Called once, on whichever thread the promise is kept or broken.
    init(_ hold: ClockHold? = nil, _ settle: @escaping @Sendable (Outcome) -> Void) {
        self.hold = hold
        self.settle = Locked(settle)
    }

    /// The handler has returned; it may still call later, until its time is over.
    func handlerReturned() { hold?.handlerReturned() }

    /// Keeps the promise; a second call does nothing.
    func call() { finish(.called) }

    deinit { finish(.dropped) }

    private func finish(_ outcome: Outcome) {
        let settle = settle { settle in
            defer { settle = nil }
            return settle
        }
        settle?(outcome)
        hold?.release()
    }
}
