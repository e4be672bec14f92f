import Foundation

/// Carries values in order from the thread that makes them to the one that uses them, a few at a time.
///
/// ```swift
/// let conveyor = Conveyor<Int, any Error>(capacity: 2)
/// conveyor.start("numbers") { belt in
///     for number in 1...3 where !belt.put(number) { return }
/// }
/// defer { conveyor.stop() }
/// while let number = try conveyor.take() { print(number) }   // 1 2 3
/// ```
/// Memory is flat: the maker waits while `capacity` values lie ready. What the maker throws reaches the
/// user after the values made before it. A user that is done early, for whatever reason, stops the
/// maker, whose next ``put(_:)`` tells it so.
///
/// Every stored property is read and written with `condition` locked, hence `@unchecked`.
final class Conveyor<Item: Sendable, Failure: Error>: @unchecked Sendable {
    private let condition = NSCondition()
    private let capacity: Int
    private var items: [Item] = []
    private var isStarted = false
    private var ending: Result<Void, Failure>?
    private var isStopped = false

    init(capacity: Int) { self.capacity = capacity }

    /// Runs the maker on a thread of its own; once.
    func start(
        _ name: String, _ make: @escaping @Sendable (Conveyor) throws(Failure) -> Void
    ) {
        locked { isStarted = true }
        let thread = Thread { [self] in
            do throws(Failure) {
                try make(self)
                end(.success(()))
            } catch {
                end(.failure(error))
            }
        }
        thread.name = name
        thread.start()
    }

    /// Gives a value away, having waited for room; false if nobody wants it any more.
    func put(_ item: Item) -> Bool {
        locked {
            while items.count >= capacity, !isStopped { condition.wait() }
            if isStopped { return false }
            items.append(item)
            return true
        }
    }

    /// The next value, waiting for it; nil after the last one.
    ///
    /// - Throws: What the maker has thrown, after the values that it had made.
    func take() throws(Failure) -> Item? {
        let next: Result<Item?, Failure> = locked {
            while items.isEmpty, ending == nil { condition.wait() }
            if !items.isEmpty { return .success(items.removeFirst()) }
            if case .failure(let error)? = ending { return .failure(error) }
            return .success(nil)
        }
        return try next.get()
    }

    /// Tells the maker that nothing more is wanted, and waits until it has ended.
    func stop() {
        locked {
            isStopped = true
            items.removeAll()
            condition.broadcast()
            while isStarted, ending == nil { condition.wait() }
        }
    }

    private func end(_ result: Result<Void, Failure>) { locked { ending = result } }

    /// Does something under the lock; who waits looks again afterwards.
    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body()
    }
}
