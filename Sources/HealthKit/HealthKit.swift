/// Apple's module name over ours, so that client code keeps `import HealthKit`.
@_exported public import OpenHealthKit
