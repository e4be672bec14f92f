import CoreLocation
import HealthKit

struct RecordedTour {
    let id: UUID
    let type: HKWorkoutActivityType
    let start: Date
    let end: Date
    let meters: Double
    let locations: [CLLocation]
    let pauses: [DateInterval]
}

enum HealthSaver {

    static func save(_ tour: RecordedTour, completion: @escaping (Result<UUID, Error>) -> Void) {
        let store = HealthImporter.healthStore
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = tour.type
        configuration.locationType = .outdoor
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: .local())

        builder.beginCollection(withStart: tour.start) { success, error in
            guard success else {
                completion(.failure(error ?? CocoaError(.featureUnsupported)))
                return
            }
            let distance = HKQuantitySample(
                type: HKQuantityType(tour.type == .cycling ? .distanceCycling : .distanceWalkingRunning),
                quantity: HKQuantity(unit: .meter(), doubleValue: tour.meters), start: tour.start, end: tour.end)
            builder.add([distance]) { _, error in
                if let error = error {
                    completion(.failure(error))
                    return
                }
                let events = tour.pauses.flatMap {
                    [HKWorkoutEvent(type: .pause, dateInterval: DateInterval(start: $0.start, duration: 0), metadata: nil),
                     HKWorkoutEvent(type: .resume, dateInterval: DateInterval(start: $0.end, duration: 0), metadata: nil)]
                }
                builder.addWorkoutEvents(events) { _, _ in
                    finish(builder, tour, store, completion)
                }
            }
        }
    }

    private static func finish(
        _ builder: HKWorkoutBuilder, _ tour: RecordedTour, _ store: HKHealthStore,
        _ completion: @escaping (Result<UUID, Error>) -> Void
    ) {
        builder.addMetadata([HKMetadataKeyExternalUUID: tour.id.uuidString]) { _, _ in
            builder.endCollection(withEnd: tour.end) { _, _ in
                builder.finishWorkout { workout, error in
                    guard let workout = workout else {
                        completion(.failure(error ?? CocoaError(.fileWriteUnknown)))
                        return
                    }
                    let route = HKWorkoutRouteBuilder(healthStore: store, device: nil)
                    route.insertRouteData(tour.locations) { _, error in
                        route.finishRoute(with: workout, metadata: nil) { _, _ in
                            completion(.success(workout.uuid))
                        }
                    }
                }
            }
        }
    }

    static func delete(id: UUID, completion: @escaping (Bool) -> Void) {
        let predicate = HKQuery.predicateForObjects(
            withMetadataKey: HKMetadataKeyExternalUUID, allowedValues: [id.uuidString])
        HealthImporter.healthStore.deleteObjects(of: .workoutType(), predicate: predicate) { success, _, _ in
            completion(success)
        }
    }
}
