#if People
    import Synchronization

    /// Counters of a node, in Prometheus's text format. They contain no person and no health value.
    package final class PeopleMetrics: Sendable {
        package enum Counter: String, CaseIterable, Sendable {
            case pushes, refusedPushes, samples, reads, refusedReads, failures

            fileprivate var name: String {
                switch self {
                case .pushes: "openhealth_pushes_total"
                case .refusedPushes: "openhealth_pushes_refused_total"
                case .samples: "openhealth_samples_accepted_total"
                case .reads: "openhealth_reads_total"
                case .refusedReads: "openhealth_reads_refused_total"
                case .failures: "openhealth_failures_total"
                }
            }

            fileprivate var help: String {
                switch self {
                case .pushes: "Requests with data that are in the log."
                case .refusedPushes: "Requests with data that were refused."
                case .samples: "Samples that were new."
                case .reads: "Answers with data of a person."
                case .refusedReads: "Requests for data without a valid token or session."
                case .failures: "Requests that failed because of this server or its database."
                }
            }
        }

        /// The upper bounds of the histogram of pushes, in seconds.
        private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 5]

        private struct State {
            var counts: [Counter: Int] = [:]
            var buckets = [Int](repeating: 0, count: PeopleMetrics.bounds.count + 1)
            var seconds = 0.0
        }

        private let state = Mutex(State())

        package init() {}

        func count(_ counter: Counter, _ amount: Int = 1) {
            state.withLock { $0.counts[counter, default: 0] += amount }
        }

        /// Records how long it took to settle a push and write it to the log.
        func observePush(_ duration: Duration) {
            let seconds =
                Double(duration.components.seconds)
                + Double(duration.components.attoseconds) / 1e18
            let bucket =
                PeopleMetrics.bounds.firstIndex { seconds <= $0 } ?? PeopleMetrics.bounds.count
            state.withLock { state in
                state.buckets[bucket] += 1
                state.seconds += seconds
            }
        }

        /// The text for Prometheus.
        ///
        /// - Parameters:
        ///   - openStores: The number of open stores.
        ///   - droppedLines: The number of lines of the log that were not written.
        func text(openStores: Int, droppedLines: Int) -> String {
            let state = state.withLock { $0 }
            var text = Counter.allCases.map { counter in
                """
                # HELP \(counter.name) \(counter.help)
                # TYPE \(counter.name) counter
                \(counter.name) \(state.counts[counter] ?? 0)

                """
            }.joined()
            text += """
                # HELP openhealth_log_lines_dropped_total Lines of the log that were not written.
                # TYPE openhealth_log_lines_dropped_total counter
                openhealth_log_lines_dropped_total \(droppedLines)
                # HELP openhealth_open_stores Stores of people that are open on this node.
                # TYPE openhealth_open_stores gauge
                openhealth_open_stores \(openStores)
                # HELP openhealth_push_seconds Time to settle a push and write it to the log.
                # TYPE openhealth_push_seconds histogram

                """
            var total = 0
            for (index, count) in state.buckets.enumerated() {
                total += count
                let bound =
                    index < PeopleMetrics.bounds.count ? "\(PeopleMetrics.bounds[index])" : "+Inf"
                text += "openhealth_push_seconds_bucket{le=\"\(bound)\"} \(total)\n"
            }
            return text + "openhealth_push_seconds_sum \(state.seconds)\n"
                + "openhealth_push_seconds_count \(total)\n"
        }
    }
#endif
