// Files that VTK itself writes, in every encoding that it has, against the mesh they were made of.
#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include "compiler/support/error.hpp"
#include "tests/mesh/samples.hpp"

namespace proxima::mesh {
namespace {

vtkNew<vtkUnstructuredGrid> sample_grid() {
  const auto mesh = sample_mesh();
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const auto& x : mesh.nodes) points->InsertNextPoint(x.data());
  grid->SetPoints(points);
  vtkNew<vtkIntArray> tags;
  tags->SetName("region");
  for (const auto& [elements, block_tags] : mesh.blocks) {
    const int type = std::map<Shape, int>{
        {Shape::edge, VTK_LINE},
        {Shape::triangle, VTK_TRIANGLE},
        {Shape::tetrahedron, VTK_TETRA},
        {Shape::hexahedron,
         VTK_HEXAHEDRON}}.at(elements.shape);
    for (std::size_t e = 0; e < elements.count(); ++e) {
      const std::vector<vtkIdType> corners(elements.of(e).begin(), elements.of(e).end());
      grid->InsertNextCell(type, elements.corners, corners.data());
      tags->InsertNextValue(block_tags[e]);
    }
  }
  grid->GetCellData()->AddArray(tags);
  return grid;
}

void expect_sample(const std::filesystem::path& file) {
  const auto mesh = read(file);
  EXPECT_EQ(mesh.nodes, sample_mesh().nodes);
  EXPECT_EQ(mesh.blocks, sample_mesh().blocks);
}

TEST(VtkFiles, EveryEncodingOfVtuIsRead) {
  const Folder folder;
  const auto file = folder.path / "a.vtu";
  for (const int mode : {vtkXMLWriter::Ascii, vtkXMLWriter::Binary, vtkXMLWriter::Appended})
    for (const bool compressed : {false, true})
      for (const bool base64 : {false, true})
        for (const bool wide : {false, true})
          for (const bool big_endian : {false, true}) {
            SCOPED_TRACE(fmt::format("mode {} compressed {} base64 {} 64-bit headers {} big endian {}", mode,
                                     compressed, base64, wide, big_endian));
            vtkNew<vtkXMLUnstructuredGridWriter> writer;
            writer->SetFileName(file.c_str());
            writer->SetInputData(sample_grid());
            writer->SetDataMode(mode);
            writer->SetCompressorType(compressed ? vtkXMLWriter::ZLIB : vtkXMLWriter::NONE);
            writer->SetBlockSize(64);  // several blocks, the last of them partial
            writer->SetEncodeAppendedData(base64);
            writer->SetHeaderType(wide ? vtkXMLWriter::UInt64 : vtkXMLWriter::UInt32);
            writer->SetByteOrder(big_endian ? vtkXMLWriter::BigEndian : vtkXMLWriter::LittleEndian);
            ASSERT_EQ(writer->Write(), 1);
            expect_sample(file);
          }
}

TEST(VtkFiles, OtherCompressionIsRefusedByName) {
  const Folder folder;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetFileName((folder.path / "a.vtu").c_str());
  writer->SetInputData(sample_grid());
  writer->SetCompressorType(vtkXMLWriter::LZ4);
  ASSERT_EQ(writer->Write(), 1);
  EXPECT_NE(complaint_of_read(folder.path / "a.vtu").find("not compressed by zlib"), std::string::npos);
}

TEST(VtkFiles, EveryEncodingOfLegacyVtkIsRead) {
  const Folder folder;
  const auto file = folder.path / "a.vtk";
  for (const int version : {vtkDataWriter::VTK_LEGACY_READER_VERSION_4_2, vtkDataWriter::VTK_LEGACY_READER_VERSION_5_1})
    for (const int type : {VTK_ASCII, VTK_BINARY}) {
      SCOPED_TRACE(fmt::format("version {} type {}", version, type));
      vtkNew<vtkUnstructuredGridWriter> writer;
      writer->SetFileName(file.c_str());
      writer->SetInputData(sample_grid());
      writer->SetFileVersion(version);
      writer->SetFileType(type);
      ASSERT_EQ(writer->Write(), 1);
      const auto mesh = read(file);
      EXPECT_EQ(mesh.blocks, sample_mesh().blocks);
      // As text VTK writes 6 digits or so.
      for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(mesh.nodes[n][c], sample_mesh().nodes[n][c], 1e-5);
    }
}

}  // namespace
}  // namespace proxima::mesh
