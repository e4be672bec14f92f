/// Something an Apple Health export has no place for.
public enum ExportLoss: String, Sendable, CaseIterable {
    case samplesWithoutForm, fractionsOfSeconds, seriesQuantities, otherDetails, workoutDetails
    case missingRouteFiles, savedRoutes, routePoints, renamedFiles, unnamedFiles
    case systemVersions, metadataKinds, unwritableCharacters
    case ownUUIDs, ownBundleIdentifiers, renamedSources, furtherMemberships
    case sourceArrangements, homeZone, grants, rawElements

    /// What is counted, as it stands behind the number.
    public var description: String {
        switch self {
        case .samplesWithoutForm: "samples that no element of the format can hold; left out"
        case .fractionsOfSeconds: "samples with fractions of a second; cut off"
        case .seriesQuantities: "series of quantities; each written as one sample"
        case .otherDetails: "samples with structured content of another kind; written without it"
        case .workoutDetails: "workouts with facts only programs save; written without those"
        case .missingRouteFiles: "workout routes whose points no import brought"
        case .savedRoutes: "routes that are samples of their own; they come back in their workouts"
        case .routePoints: "points of routes without a time or a place; left out"
        case .renamedFiles: "files whose name another one has; written under a new one"
        case .unnamedFiles: "files whose names can't stand in a zip; left out"
        case .systemVersions: "samples that name the system they were recorded on"
        case .metadataKinds: "metadata values that come back as text or another kind"
        case .unwritableCharacters: "characters XML has no form for; replaced"
        case .ownUUIDs: "samples saved with a UUID of their own; they get another"
        case .ownBundleIdentifiers: "bundle identifiers of sources that were not derived"
        case .renamedSources: "sources with an earlier name; their samples get other UUIDs"
        case .furtherMemberships: "further workouts or correlations of one sample"
        case .sourceArrangements: "types with sources ordered or left out by hand"
        case .homeZone: "home zone; import with --time-zone to keep it"
        case .grants: "programs with permissions"
        case .rawElements: "elements kept as they stood that are not whole, or stood in another"
        }
    }
}
