import Combine
import Foundation
import Testing

/// A typical iOS view model.
private final class StepModel: ObservableObject {
    @Published var steps = 0
}

@Suite struct CombineTests {
    @Test("a published property notifies its subscribers and its object before it changes")
    func published() {
        let model = StepModel()
        var seen: [Int] = []
        var changes = 0
        var bag: Set<AnyCancellable> = []
        model.$steps.removeDuplicates().map { $0 * 2 }.sink { seen.append($0) }.store(in: &bag)
        model.objectWillChange.sink { changes += 1 }.store(in: &bag)
        model.steps = 10
        model.steps = 10
        bag.removeAll()
        model.steps = 11
        #expect(seen == [0, 20])
        #expect(changes == 2)
    }

    @Test("subjects forward values and end with their completion")
    func subjects() {
        let readings = PassthroughSubject<Double, any Error>()
        let latest = CurrentValueSubject<Double, Never>(0)
        var ended = false
        let link = readings.sink(
            receiveCompletion: { _ in ended = true }, receiveValue: { latest.value = $0 })
        readings.send(61)
        readings.send(completion: .finished)
        readings.send(62)
        #expect(latest.value == 61)
        #expect(ended)
        link.cancel()
    }

    @Test("a notification reaches its subscriber through a dispatch queue")
    func schedulers() async {
        let name = Notification.Name("steps")
        let center = NotificationCenter()
        let received = AsyncStream<String>.makeStream()
        let link = center.publisher(for: name)
            .receive(on: DispatchQueue.global())
            .sink { received.continuation.yield($0.name.rawValue) }
        center.post(name: name, object: nil)
        #expect(await received.stream.first { _ in true } == "steps")
        link.cancel()
    }

    @Test("the value of a future can be awaited")
    func future() async throws {
        let future = Future<Int, any Error> { promise in promise(.success(7)) }
        #expect(try await future.value == 7)
    }
}
