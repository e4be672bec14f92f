// Application delegate of a workout tracker in UIKit with storyboards.
import HealthKit
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UINavigationBar.appearance().tintColor = .systemOrange
        return true
    }

    func applicationShouldRequestHealthAuthorization(_ application: UIApplication) {
        HKHealthStore().handleAuthorizationForExtension { success, error in
            if let error = error, !success {
                print("extension authorization failed: \(error)")
            }
        }
    }
}
