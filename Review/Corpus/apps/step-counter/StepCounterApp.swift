// Entry of a step counter in SwiftUI with a widget-like summary.
import SwiftUI

@main
struct StepCounterApp: App {
    @StateObject private var model = StepsViewModel(service: StepService())
    @Environment(\.scenePhase) private var scenePhase

    var body: some Scene {
        WindowGroup {
            ContentView()
                .environmentObject(model)
                .onAppear { model.requestAccess() }
        }
        .onChange(of: scenePhase) { phase in
            if phase == .active {
                model.refresh()
            }
        }
    }
}
