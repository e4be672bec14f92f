public import Foundation

#if !canImport(ObjectiveC)
    extension NotificationCenter {
        /// Notifications as they are posted, until the loop ends:
        /// `for await _ in center.notifications(named: .HKUserPreferencesDidChange) { … }`.
        ///
        /// Apple's Foundation has it, Linux's doesn't. Listening begins with this call, and what is
        /// posted before the loop asks for it waits.
        ///
        /// - Parameter object: Only what this object posts; nil for all.
        public func notifications(
            named name: Notification.Name, object: AnyObject? = nil
        ) -> Notifications {
            Notifications(center: self, name: name, object: object)
        }

        /// Notifications of one name, one after another.
        public struct Notifications: AsyncSequence {
            /// What a loop gets.
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

            /// The loop's own; notifications go to one loop only.
            public func makeAsyncIterator() -> Iterator {
                Iterator(posted: stream.makeAsyncIterator())
            }
        }
    }

    extension NotificationCenter.Notifications {
        /// Waits for one notification at a time; nil once the task is cancelled.
        public struct Iterator: AsyncIteratorProtocol {
            var posted: AsyncStream<Posted>.Iterator

            /// The next notification; nil once the task is cancelled.
            public mutating func next() async -> Notification? { await posted.next()?.notification }
        }

        /// A notification on its way from the poster's thread to the loop's.
        // Handed from one to the other and not kept by the first.
        struct Posted: @unchecked Sendable {
            let notification: Notification

            init(_ notification: Notification) { self.notification = notification }

            /// What takes an observer off its centre.
            // Only ever handed back to the centre.
            struct Observer: @unchecked Sendable {
                let token: any NSObjectProtocol

                init(_ token: any NSObjectProtocol) { self.token = token }
            }
        }
    }
#endif
