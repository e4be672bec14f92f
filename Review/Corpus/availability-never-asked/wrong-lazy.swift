// A store made late, behind an optional, is still never preceded by the question.
import HealthKit
import UIKit

final class SummaryController: UIViewController {
    private lazy var store: HKHealthStore? = {
        guard UIDevice.current.userInterfaceIdiom == .phone else { return nil }
        return HKHealthStore()  // finds availability-never-asked
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        store?.requestAuthorization(toShare: nil, read: [HKObjectType.workoutType()]) { _, error in
            if let error { print(error) }
        }
    }
}
