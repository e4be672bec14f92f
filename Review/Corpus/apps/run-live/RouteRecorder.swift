import CoreLocation

final class RouteRecorder: NSObject, CLLocationManagerDelegate {

    var onLocations: (([CLLocation]) -> Void)?
    private let manager = CLLocationManager()
    private(set) var last: CLLocation?
    private(set) var meters = 0.0

    func start() {
        manager.delegate = self
        manager.desiredAccuracy = kCLLocationAccuracyBest
        manager.requestWhenInUseAuthorization()
        manager.startUpdatingLocation()
    }

    func stop() { manager.stopUpdatingLocation() }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        let good = locations.filter { $0.horizontalAccuracy > 0 && $0.horizontalAccuracy <= 50 }
        for location in good {
            if let last = last { meters += location.distance(from: last) }
            last = location
        }
        guard !good.isEmpty else { return }
        onLocations?(good)
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        print("Location failed: \(error.localizedDescription)")
    }
}
