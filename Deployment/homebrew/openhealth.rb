# NOT TRIED: neither Homebrew nor a Mac was at hand, and the command has not been built on macOS.
# Only the syntax was checked, with `ruby -c`. Replace `example` with the account of the
# repository, put the file into a tap, and run: brew install --HEAD openhealth
class Openhealth < Formula
  desc "Totals of Apple Health exports without double counting"
  homepage "https://github.com/example/OpenHealthKit"
  license "Apache-2.0"
  # A release needs `url` and `sha256` of its source archive.
  head "https://github.com/example/OpenHealthKit.git", branch: "main"

  # Swift 6.2.
  depends_on xcode: ["26.0", :build]
  depends_on macos: :sequoia
  uses_from_macos "swift" => :build
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  on_linux do
    depends_on "pkgconf" => :build
  end

  def install
    # Homebrew has a sandbox of its own, and one can't be started in another.
    flags = OS.mac? ? ["--disable-sandbox"] : ["--static-swift-stdlib"]
    system "swift", "build", "-c", "release", "--product", "openhealth", *flags
    system "swift", "build", "-c", "release", "--package-path", "Review",
           "--product", "openhealth-review", *flags
    bin.install ".build/release/openhealth", "Review/.build/release/openhealth-review"
    system "Tools/install-texts", bin/"openhealth", prefix
  end

  test do
    assert_match "truth", shell_output("#{bin}/openhealth demo")
    assert_match "ignored-deletions", shell_output("#{bin}/openhealth review --rules")
  end
end
