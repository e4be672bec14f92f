import Foundation

/// Distances on the WGS 84 ellipsoid.
enum Geodesic {
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257_223_563

    /// Returns the length of the geodesic between two coordinates in metres, without altitude.
    ///
    /// Vincenty's inverse formula is used, which is accurate to a millimetre. It does not converge
    /// for some nearly antipodal points. For these, the result is the great-circle distance on a
    /// sphere, accurate to 0.6 %.
    static func distance(
        _ a: CLLocationCoordinate2D, _ b: CLLocationCoordinate2D
    ) -> CLLocationDistance {
        if a.latitude == b.latitude, a.longitude == b.longitude { return 0 }
        return ellipsoidal(a, b) ?? spherical(a, b)
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

    private static func ellipsoidal(
        _ a: CLLocationCoordinate2D, _ b: CLLocationCoordinate2D
    ) -> CLLocationDistance? {
        let reducedA = atan((1 - flattening) * tan(radians(a.latitude)))
        let reducedB = atan((1 - flattening) * tan(radians(b.latitude)))
        let (sinA, cosA) = (sin(reducedA), cos(reducedA))
        let (sinB, cosB) = (sin(reducedB), cos(reducedB))
        let difference = radians(b.longitude - a.longitude)
        var lambda = difference
        for _ in 0..<100 {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let east = cosB * sinLambda
            let north = cosA * sinB - sinA * cosB * cosLambda
            let sinSigma = (east * east + north * north).squareRoot()
            if sinSigma == 0 { return 0 }
            let cosSigma = sinA * sinB + cosA * cosB * cosLambda
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosA * cosB * sinLambda / sinSigma
            let cosSquared = 1 - sinAlpha * sinAlpha
            // On the equator, the quotient would be 0 / 0. The term then has no effect.
            let middle = cosSquared == 0 ? 0 : cosSigma - 2 * sinA * sinB / cosSquared
            let c = flattening / 16 * cosSquared * (4 + flattening * (4 - 3 * cosSquared))
            let last = lambda
            let bend = middle + c * cosSigma * (2 * middle * middle - 1)
            lambda =
                difference + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * bend)
            if lambda.magnitude > .pi + 1 { return nil }
            if (lambda - last).magnitude < 1e-12 {
                return length(sigma, sinSigma, cosSigma, middle, cosSquared)
            }
        }
        return nil
    }

    private static func length(
        _ sigma: Double, _ sinSigma: Double, _ cosSigma: Double, _ middle: Double,
        _ cosSquared: Double
    ) -> CLLocationDistance {
        let polarRadius = equatorialRadius * (1 - flattening)
        let ratio = equatorialRadius / polarRadius
        let u = cosSquared * (ratio * ratio - 1)
        let a = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
        let b = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
        let square = middle * middle
        let third = b / 6 * middle * (4 * sinSigma * sinSigma - 3) * (4 * square - 3)
        let second = b / 4 * (cosSigma * (2 * square - 1) - third)
        return polarRadius * a * (sigma - b * sinSigma * (middle + second))
    }

    private static func spherical(
        _ a: CLLocationCoordinate2D, _ b: CLLocationCoordinate2D
    ) -> CLLocationDistance {
        let height = sin(radians(b.latitude - a.latitude) / 2)
        let width = sin(radians(b.longitude - a.longitude) / 2)
        let root =
            height * height
            + cos(radians(a.latitude)) * cos(radians(b.latitude)) * width * width
        return 2 * 6_371_008.8 * asin(root > 1 ? 1 : root.squareRoot())
    }
}
