//  Vitals Board (2019): Combine wrappers around HealthKit.

import Combine
import HealthKit

public enum VitalsError: Error {
    case unavailable
    case healthKit(Error)
    case noStatistics
}

extension HKHealthStore {

    /// A future of the answer of the sheet: true says it was shown, nothing more.
    public func request(share: Set<HKSampleType>, read: Set<HKObjectType>) -> Future<Bool, VitalsError> {
        Future { promise in
            guard HKHealthStore.isHealthDataAvailable() else {
                promise(.failure(.unavailable))
                return
            }
            self.requestAuthorization(toShare: share, read: read) { success, error in
                if let error = error {
                    promise(.failure(.healthKit(error)))
                } else {
                    promise(.success(success))
                }
            }
        }
    }

    public func statistic(
        _ type: HKQuantityType, predicate: NSPredicate?, options: HKStatisticsOptions
    ) -> AnyPublisher<HKStatistics, VitalsError> {
        let subject = PassthroughSubject<HKStatistics, VitalsError>()
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: predicate, options: options
        ) { _, statistics, error in
            if let error = error {
                subject.send(completion: .failure(.healthKit(error)))
                return
            }
            guard let statistics = statistics else {
                subject.send(completion: .failure(.noStatistics))
                return
            }
            subject.send(statistics)
            subject.send(completion: .finished)
        }
        return subject
            .handleEvents(
                receiveSubscription: { _ in self.execute(query) },
                receiveCancel: { self.stop(query) })
            .eraseToAnyPublisher()
    }

    public func samples(
        _ type: HKSampleType, predicate: NSPredicate?, limit: Int = 100, ascending: Bool = false
    ) -> Future<[HKSample], VitalsError> {
        Future { promise in
            let sort = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: ascending)
            let query = HKSampleQuery(
                sampleType: type, predicate: predicate, limit: limit, sortDescriptors: [sort]
            ) { _, samples, error in
                if let error = error {
                    promise(.failure(.healthKit(error)))
                } else {
                    promise(.success(samples ?? []))
                }
            }
            self.execute(query)
        }
    }

    /// Fires when something of the type changed, until the subscriber cancels.
    public func changes(of type: HKSampleType) -> AnyPublisher<Void, VitalsError> {
        let subject = PassthroughSubject<Void, VitalsError>()
        let query = HKObserverQuery(sampleType: type, predicate: nil) { _, done, error in
            defer { done() }
            if let error = error {
                subject.send(completion: .failure(.healthKit(error)))
            } else {
                subject.send(())
            }
        }
        return subject
            .handleEvents(
                receiveSubscription: { _ in self.execute(query) },
                receiveCancel: { self.stop(query) })
            .eraseToAnyPublisher()
    }
}
