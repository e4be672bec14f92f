// The success of asking reported to a server or to another language as the answer.
import HealthKit
import SwiftUI

final class PermissionBridge {
    private let store: HKHealthStore
    private let types: Set<HKObjectType> = [HKQuantityType(.stepCount)]

    init(store: HKHealthStore) { self.store = store }

    func request(_ resolve: @escaping (Any) -> Void) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            resolve(["granted": success])  // finds success-as-permission
        }
    }

    func requestText(_ resolve: @escaping (Any) -> Void) {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            resolve(success ? "granted" : "denied")  // finds success-as-permission
        }
    }

    func requestInBranch(_ resolve: @escaping (Any) -> Void) {
        store.requestAuthorization(toShare: nil, read: types) { ok, _ in
            if ok {
                resolve(["isAuthorized": true])  // finds success-as-permission
            } else {
                resolve(NSNull())
            }
        }
    }

    func requestModel(_ done: @escaping (PermissionAnswer) -> Void) {
        store.requestAuthorization(toShare: [], read: types) { success, _ in
            done(PermissionAnswer(platform: "ios", permissionGranted: success))  // finds success-as-permission
        }
    }

    func requestState(_ done: @escaping (PermissionState) -> Void) {
        store.requestAuthorization(toShare: [], read: types) { success, _ in
            if success {  // finds success-as-permission
                done(.granted)
            } else {
                done(.unknown)
            }
        }
    }

    func requestThroughFunction() {
        store.requestAuthorization(toShare: [], read: types) { success, _ in
            self.finish(success)
        }
    }

    private func finish(_ ok: Bool) {
        status = ok ? "Access granted" : "Access denied"  // finds success-as-permission
    }

    private(set) var status = ""
}

protocol Authorizing {
    func requestAccess() async -> Bool
}

final class Authorizer: Authorizing {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func requestAccess() async -> Bool {
        do {
            try await store.requestAuthorization(toShare: [], read: [HKQuantityType(.stepCount)])
            return true
        } catch {
            return false
        }
    }
}

@MainActor
final class AccessModel: ObservableObject {
    @Published var hasAccess = false
    private let authorizer: any Authorizing

    init(authorizer: any Authorizing) { self.authorizer = authorizer }

    func connect() async {
        hasAccess = await authorizer.requestAccess()  // finds success-as-permission
    }
}

struct AccessView: View {
    @StateObject var model: AccessModel

    var body: some View {
        if model.hasAccess {
            Text("Health is connected")
        } else {
            Button("Connect") { Task { await model.connect() } }
        }
    }
}
