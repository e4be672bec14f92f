/// The version of this package, for `openhealth --version` and for documents that it writes.
package enum ProgramVersion {
    /// The version, such as "0.2.0".
    package static let text = "0.2.0"
}
