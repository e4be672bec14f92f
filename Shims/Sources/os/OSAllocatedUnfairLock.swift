/// A lock that holds what it guards.
///
/// ```swift
/// let counts = OSAllocatedUnfairLock(initialState: [String: Int]())
/// counts.withLock { $0["steps", default: 0] += 1 }
/// ```
/// Locking again on the same thread, or unlocking on another, ends the process, as on Apple's
/// platforms. Fairness isn't promised.
// The state is reached only while the mutex is held.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private let storage: ManagedBuffer<State, pthread_mutex_t>

    /// Takes a state that need not be sendable; the caller answers for it.
    public init(uncheckedState initialState: State) {
        storage = LockStorage<State>.create(minimumCapacity: 1) { buffer in
            buffer.withUnsafeMutablePointerToElements { mutex in
                var attributes = pthread_mutexattr_t()
                pthread_mutexattr_init(&attributes)
                pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
                mutex.initialize(to: pthread_mutex_t())
                pthread_mutex_init(mutex, &attributes)
                pthread_mutexattr_destroy(&attributes)
            }
            return initialState
        }
    }

    /// Runs `body` with the state, one caller at a time, without asking whether it may be sent.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        try storage.withUnsafeMutablePointers { state, mutex in
            acquire(mutex)
            defer { release(mutex) }
            return try body(&state.pointee)
        }
    }

    /// Runs `body` with the state, one caller at a time.
    public func withLock<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Runs `body` if the lock is free, else returns nil at once.
    public func withLockIfAvailable<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }

    /// Runs `body` if the lock is free, else returns nil at once.
    public func withLockIfAvailableUnchecked<R>(
        _ body: (inout State) throws -> R
    ) rethrows -> R? {
        try storage.withUnsafeMutablePointers { state, mutex in
            guard pthread_mutex_trylock(mutex) == 0 else { return nil }
            defer { release(mutex) }
            return try body(&state.pointee)
        }
    }

    fileprivate func acquire(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        let result = pthread_mutex_lock(mutex)
        precondition(result == 0, "locked again on the thread that holds the lock")
    }

    fileprivate func release(_ mutex: UnsafeMutablePointer<pthread_mutex_t>) {
        let result = pthread_mutex_unlock(mutex)
        precondition(result == 0, "unlocked on a thread that doesn't hold the lock")
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock that holds nothing.
    public init() { self.init(uncheckedState: ()) }

    public func lock() { storage.withUnsafeMutablePointerToElements(acquire) }

    public func unlock() { storage.withUnsafeMutablePointerToElements(release) }

    /// Locks if that is possible at once.
    public func lockIfAvailable() -> Bool {
        storage.withUnsafeMutablePointerToElements { pthread_mutex_trylock($0) == 0 }
    }

    /// Runs `body`, one caller at a time.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// Runs `body`, one caller at a time, without asking whether its result may be sent.
    public func withLockUnchecked<R>(_ body: () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }
}

private final class LockStorage<State>: ManagedBuffer<State, pthread_mutex_t> {
    deinit {
        withUnsafeMutablePointerToElements { mutex in
            pthread_mutex_destroy(mutex)
            mutex.deinitialize(count: 1)
        }
    }
}
