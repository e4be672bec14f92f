package import HealthEngine

/// Data that a phone sent regularly and now doesn't send, or sends only in part.
package enum IntakeSilence: Sendable {
    /// A device that was in contact daily and hasn't been for more than two days.
    case device(SilentDevice)
    /// Types that a device sent on most days and no longer does, although it is in contact and
    /// another route has newer data of them. The time is the start of the last data.
    case types([SampleType], device: String, since: Double)
    /// Types whose totals a device sends before the end of the day and never again, on a number of
    /// the last days.
    case partialTotals([SampleType], device: String, days: Int)
}

/// A device that was in contact daily and hasn't been for more than two days.
package struct SilentDevice: Hashable, Sendable {
    /// The name of the device.
    package var name: String
    /// The last contact, in reference seconds.
    package var since: Double

    package init(name: String, since: Double) {
        self.name = name
        self.since = since
    }
}
