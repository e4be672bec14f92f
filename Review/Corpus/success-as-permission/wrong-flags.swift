// Flags of many names that take the success of asking for the answer.
import HealthKit
import SwiftUI

struct OnboardingView: View {
    @AppStorage("healthEnabled") private var healthEnabled = false
    @State private var hasPermission = false
    @State private var showsDenied = false
    let store: HKHealthStore
    let types: Set<HKObjectType>

    var body: some View {
        VStack {
            Button("Connect Health") {
                Task { await connect() }
            }
            Button("Connect the old way", action: connectOld)
            if hasPermission { Text("Connected") }
        }
        .alert("Access denied", isPresented: $showsDenied) {}
    }

    @MainActor
    private func connect() async {
        do {
            try await store.requestAuthorization(toShare: [], read: types)
            hasPermission = true  // finds success-as-permission
        } catch {
            print("could not ask: \(error)")
        }
    }

    private func connectOld() {
        store.requestAuthorization(toShare: nil, read: types) { success, error in
            DispatchQueue.main.async {
                healthEnabled = success  // finds success-as-permission
            }
        }
    }
}

final class PermissionStore {
    private let store: HKHealthStore
    private(set) var permissionGranted = false

    init(store: HKHealthStore) {
        self.store = store
    }

    func ask(_ types: Set<HKObjectType>, then load: @escaping () -> Void) {
        store.requestAuthorization(toShare: [], read: types) { [weak self] success, _ in
            self?.permissionGranted = success  // finds success-as-permission
            load()
        }
    }
}
