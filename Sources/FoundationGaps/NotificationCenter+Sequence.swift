public import Foundation

#if !canImport(ObjectiveC)
    extension NotificationCenter {
        /// Returns an asynchronous sequence of notifications:
        /// `for await _ in center.notifications(named: .HKUserPreferencesDidChange) { … }`.
        ///
        /// For Linux, where Foundation has no such method. Observation starts with this call.
        /// Notifications are buffered without limit until they are read.
        ///
        /// - Parameters:
        ///   - name: The name of the notifications.
        ///   - object: The sender whose notifications are delivered; nil for all senders.
        /// - Returns: The sequence. Notifications are no longer observed after a task that waits
        ///   for the next one is cancelled, or when the sequence and its iterators are released.
        public func notifications(
            named name: Notification.Name, object: AnyObject? = nil
        ) -> Notifications {
            Notifications(center: self, name: name, object: object)
        }

        /// An asynchronous sequence of notifications with one name.
        public struct Notifications: AsyncSequence {
            /// The type of the elements.
            public typealias Element = Notification

            let stream: AsyncStream<Posted>

            init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
                let (stream, continuation) = AsyncStream<Posted>.makeStream()
                let observer = Posted.Observer(
                    center.addObserver(forName: name, object: object, queue: nil) {
                        continuation.yield(Posted($0))
                    })
                continuation.onTermination = { _ in center.removeObserver(observer.token) }
                self.stream = stream
            }

            /// Returns an iterator. If there are several, each notification is delivered to only
            /// one of them.
            public func makeAsyncIterator() -> Iterator {
                Iterator(posted: stream.makeAsyncIterator())
            }
        }
    }

    extension NotificationCenter.Notifications {
        /// The iterator of `Notifications`.
        public struct Iterator: AsyncIteratorProtocol {
            var posted: AsyncStream<Posted>.Iterator

            /// Waits for the next notification.
            ///
            /// - Returns: The notification; nil after the task is cancelled.
            public mutating func next() async -> Notification? { await posted.next()?.notification }
        }

        /// A notification that is passed from the posting thread to the iterating task.
        // Declared Sendable, because notifications are not changed after they are posted.
        struct Posted: @unchecked Sendable {
            let notification: Notification

            init(_ notification: Notification) { self.notification = notification }

            /// A token that removes an observer from its center.
            // Declared Sendable, because the token is only passed back to the center, which is
            // thread-safe.
            struct Observer: @unchecked Sendable {
                let token: any NSObjectProtocol

                init(_ token: any NSObjectProtocol) { self.token = token }
            }
        }
    }
#endif
