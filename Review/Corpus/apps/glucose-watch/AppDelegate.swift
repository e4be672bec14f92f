// Delegate of a glucose app that is woken in the background.
import BackgroundTasks
import HealthKit
import UIKit

@main
final class AppDelegate: NSObject, UIApplicationDelegate {
    private let container = Container()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        guard HKHealthStore.isHealthDataAvailable() else { return true }
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "org.example.glucose.flush", using: nil
        ) { [container] task in
            container.uploader.flush { task.setTaskCompleted(success: $0) }
        }
        container.observer.start()
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        let request = BGProcessingTaskRequest(identifier: "org.example.glucose.flush")
        request.requiresNetworkConnectivity = true
        try? BGTaskScheduler.shared.submit(request)
    }
}

final class Container {
    let store = HKHealthStore()
    let anchors = AnchorStore(directory: .applicationSupportDirectory)
    lazy var uploader = Uploader(queue: UploadQueue(url: .documentsDirectory))
    lazy var observer = GlucoseObserver(store: store, anchors: anchors, uploader: uploader)
}
