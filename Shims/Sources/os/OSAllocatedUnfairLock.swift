/// A lock that contains the state it protects.
///
/// ```swift
/// let counts = OSAllocatedUnfairLock(initialState: [String: Int]())
/// counts.withLock { $0["steps", default: 0] += 1 }
/// ```
/// Locking again on the same thread, or unlocking on another, ends the process, as on Apple's
/// platforms. The lock isn't necessarily fair.
// The state is only accessed while the mutex is locked.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private let storage: ManagedBuffer<State, pthread_mutex_t>

    /// Creates a lock with a state that need not be sendable. The caller must ensure that the state
    /// is accessed only while the lock is held.
    ///
    /// - Parameter initialState: The initial state.
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

    /// Runs a closure with the state while the lock is held. The closure and its result need not be
    /// sendable.
    ///
    /// - Parameter body: The closure. It must not use this lock.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error.
    public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
        try storage.withUnsafeMutablePointers { state, mutex in
            acquire(mutex)
            defer { release(mutex) }
            return try body(&state.pointee)
        }
    }

    /// Runs a closure with the state while the lock is held.
    ///
    /// - Parameter body: The closure. It must not use this lock.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error.
    public func withLock<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R {
        try withLockUnchecked(body)
    }

    /// Runs a closure with the state if the lock is free. Otherwise returns nil without waiting.
    ///
    /// - Parameter body: The closure. It must not use this lock.
    /// - Returns: The closure's result, or nil if the lock is held.
    /// - Throws: The closure's error.
    public func withLockIfAvailable<R: Sendable>(
        _ body: @Sendable (inout State) throws -> R
    ) rethrows -> R? {
        try withLockIfAvailableUnchecked(body)
    }

    /// Runs a closure with the state if the lock is free. Otherwise returns nil without waiting.
    /// The closure and its result need not be sendable.
    ///
    /// - Parameter body: The closure. It must not use this lock.
    /// - Returns: The closure's result, or nil if the lock is held.
    /// - Throws: The closure's error.
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
    /// Creates a lock with a state.
    ///
    /// - Parameter initialState: The initial state.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Creates a lock without a state.
    public init() { self.init(uncheckedState: ()) }

    /// Acquires the lock, waiting if necessary. Ends the process if this thread already holds it.
    public func lock() { storage.withUnsafeMutablePointerToElements(acquire) }

    /// Releases the lock. Ends the process if this thread doesn't hold it.
    public func unlock() { storage.withUnsafeMutablePointerToElements(release) }

    /// Acquires the lock if it is free. Otherwise returns false without waiting.
    ///
    /// - Returns: Whether the lock was acquired.
    public func lockIfAvailable() -> Bool {
        storage.withUnsafeMutablePointerToElements { pthread_mutex_trylock($0) == 0 }
    }

    /// Runs a closure while the lock is held.
    ///
    /// - Parameter body: The closure. It must not use this lock.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error.
    public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R {
        try withLockUnchecked { _ in try body() }
    }

    /// Runs a closure while the lock is held. The closure and its result need not be sendable.
    ///
    /// - Parameter body: The closure. It must not use this lock.
    /// - Returns: The closure's result.
    /// - Throws: The closure's error.
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
