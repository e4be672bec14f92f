//
//  AppDelegate.swift
//  StepBuddy
//
//  Created on 11/14/16.
//

import UIKit
import HealthKit
import UserNotifications

@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {

    var window: UIWindow?

    func application(_ application: UIApplication,
                     didFinishLaunchingWithOptions launchOptions: [UIApplicationLaunchOptionsKey: Any]?) -> Bool {
        UINavigationBar.appearance().tintColor = UIColor(red: 0.17, green: 0.63, blue: 0.42, alpha: 1)
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .badge]) { granted, error in
            if let error = error {
                print("Notifications failed: \(error.localizedDescription)")
            }
            UserDefaults.standard.set(granted, forKey: "notificationsEnabled")
        }

        if UserDefaults.standard.bool(forKey: "onboardingFinished") {
            HealthKitManager.sharedInstance.startObservingSteps()
        }
        return true
    }

    func applicationDidBecomeActive(_ application: UIApplication) {
        application.applicationIconBadgeNumber = 0
        NotificationCenter.default.post(name: .healthDataNeedsRefresh, object: nil)
    }

    func applicationShouldRequestHealthAuthorization(_ application: UIApplication) {
        HealthKitManager.sharedInstance.healthStore.handleAuthorizationForExtension { success, error in
            if !success {
                print("Extension authorization failed: \(String(describing: error))")
            }
        }
    }
}

extension Notification.Name {
    static let healthDataNeedsRefresh = Notification.Name("healthDataNeedsRefresh")
    static let stepsDidChange = Notification.Name("stepsDidChange")
}
