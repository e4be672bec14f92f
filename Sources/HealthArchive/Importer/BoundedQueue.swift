import Foundation

/// A bounded queue that passes values in order from a producer thread to a consumer.
///
/// ```swift
/// let conveyor = BoundedQueue<Int, any Error>(capacity: 2)
/// conveyor.start("numbers") { belt in
///     for number in 1...3 where !belt.put(number) { return }
/// }
/// defer { conveyor.stop() }
/// while let number = try conveyor.take() { print(number) }   // 1 2 3
/// ```
/// Memory is bounded: the producer blocks while `capacity` values are queued. An error of the
/// producer reaches the consumer after the values produced before. A consumer that ends early calls
/// ``stop()``. From then on ``put(_:)`` returns false, and the producer must return.
///
/// Every mutable property is accessed with `condition` locked, hence `@unchecked`.
package final class BoundedQueue<Item: Sendable, Failure: Error>: @unchecked Sendable {
    // Both sides wait on a condition, which `Mutex` doesn't support.
    private let condition = NSCondition()
    private let capacity: Int
    private var items: [Item] = []
    private var isStarted = false
    private var ending: Result<Void, Failure>?
    private var isStopped = false

    package init(capacity: Int) { self.capacity = capacity }

    /// Runs the producer on its own thread. Call this once.
    package func start(
        _ name: String, _ make: @escaping @Sendable (BoundedQueue) throws(Failure) -> Void
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

    /// Enqueues a value, blocking while the queue is full. Returns false if the consumer has
    /// stopped.
    package func put(_ item: Item) -> Bool {
        locked {
            while items.count >= capacity, !isStopped { condition.wait() }
            if isStopped { return false }
            items.append(item)
            return true
        }
    }

    /// Returns the next value, blocking until there is one; nil after the last one.
    ///
    /// - Throws: The producer's error, after the values that were produced before it.
    package func take() throws(Failure) -> Item? {
        let next: Result<Item?, Failure> = locked {
            while items.isEmpty, ending == nil { condition.wait() }
            if !items.isEmpty { return .success(items.removeFirst()) }
            if case .failure(let error)? = ending { return .failure(error) }
            return .success(nil)
        }
        return try next.get()
    }

    /// Makes ``put(_:)`` return false, discards queued values, and blocks until the producer has
    /// ended.
    package func stop() {
        locked {
            isStopped = true
            items.removeAll()
            condition.broadcast()
            while isStarted, ending == nil { condition.wait() }
        }
    }

    private func end(_ result: Result<Void, Failure>) { locked { ending = result } }

    /// Runs a closure with the lock held, then wakes all waiting threads.
    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body()
    }
}
