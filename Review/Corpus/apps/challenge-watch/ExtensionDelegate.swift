import ClockKit
import HealthKit
import WatchKit

class ExtensionDelegate: NSObject, WKExtensionDelegate {

    let healthStore = HKHealthStore()
    let steps = HKQuantityType(.stepCount)

    func applicationDidFinishLaunching() {
        healthStore.enableBackgroundDelivery(for: steps, frequency: .hourly) { success, error in // finds delivery-before-observer
            if let error { print(error) }
        }
        let observer = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, error in
            if error == nil {
                let server = CLKComplicationServer.sharedInstance()
                server.activeComplications?.forEach(server.reloadTimeline(for:))
            }
            completion()
        }
        healthStore.execute(observer)
        scheduleRefresh()
    }

    func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
        for task in backgroundTasks {
            scheduleRefresh()
            task.setTaskCompletedWithSnapshot(false)
        }
    }

    private func scheduleRefresh() {
        WKExtension.shared().scheduleBackgroundRefresh(
            withPreferredDate: Date().addingTimeInterval(15 * 60), userInfo: nil) { _ in }
    }
}
