// Damaged files: whatever is cut off or overwritten, read() and prepare() give a mesh or an Error. With the sanitizers
// on, this also shows that nothing is read past its end.
#include <gtest/gtest.h>

#include <fstream>

#include "compiler/support/error.hpp"
#include "tests/mesh/samples.hpp"

// The sanitizers would otherwise stop the program at an allocation that fails by design.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }

namespace proxima::mesh {
namespace {

// True when it reads, to a mesh that prepare() accepts.
bool reads(const std::filesystem::path& file, Mesh& mesh) {
  try {
    mesh = read(file);
    auto copy = mesh;
    prepare(copy, file.string());
    return true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(file.parent_path().string()), std::string::npos) << error.what();
    return false;
  }
}

// Calls body with the name and content of each file of each sample, what the sample holds, and a function that reads
// the sample with that file changed.
template <class Body>
void for_each_file(const Body& body) {
  for (const auto& sample : all_samples()) {
    const Folder folder;
    for (const auto& [name, content] : sample.files) folder.put(name, content);
    for (const auto& [name, content] : sample.files) {
      SCOPED_TRACE(sample.name + ", " + name);
      body(name, content, sample.mesh, [&, &file = name](const std::string& changed, Mesh& mesh) {
        folder.put(file, changed);
        return reads(folder.path / sample.name, mesh);
      });
      folder.put(name, content);
    }
  }
}

TEST(Damage, EveryTruncationIsAnErrorOrTheSameMesh) {
  for_each_file([](const std::string& name, const std::string& content, const Mesh& whole, const auto& reads_as) {
    for (std::size_t length = 0; length < content.size(); ++length) {
      Mesh mesh;
      if (!reads_as(content.substr(0, length), mesh)) continue;
      EXPECT_EQ(mesh.nodes, whole.nodes) << length;
      // Cell data come last in a .vtk, and nothing says that they should follow.
      if (name.ends_with(".vtk")) continue;
      EXPECT_EQ(mesh.blocks, whole.blocks) << length;
    }
  });
}

TEST(Damage, EveryOverwrittenByteIsAnErrorOrAMesh) {
  for_each_file([](const std::string&, const std::string& content, const Mesh&, const auto& reads_as) {
    for (std::size_t place = 0; place < content.size(); ++place) {
      for (const char value : {'\0', '\xff', '9', '-', ' '}) {
        auto changed = content;
        changed[place] = value;
        Mesh mesh;
        reads_as(changed, mesh);
      }
    }
  });
}

}  // namespace
}  // namespace proxima::mesh
