#!/usr/bin/python3
"""Draws frames of a simulation as one picture: render.py OUT_FOLDER PICTURE.png FRAME [FRAME ...] [--field NAME] [--up z]

Needs python3-vtk9 and, without a display, xvfb-run. Only for the pictures in docs/; nothing in the project depends on it.
"""
import argparse
import pathlib

import vtk


def surface_of(file):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(file))
    surface = vtk.vtkGeometryFilter()
    surface.SetInputConnection(reader.GetOutputPort())
    surface.Update()
    return surface.GetOutput()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("picture")
    parser.add_argument("frames", type=int, nargs="+")
    parser.add_argument("--field", help="cell or point field to colour by")
    parser.add_argument("--range", type=float, nargs=2)
    parser.add_argument("--size", type=int, nargs=2, default=[360, 360], help="pixels of one frame")
    parser.add_argument("--azimuth", type=float, default=30)
    parser.add_argument("--zoom", type=float, default=1.8)
    parser.add_argument("--up", choices=["y", "z"], default="z")
    arguments = parser.parse_args()

    files = sorted(arguments.folder.rglob("*.vtu"))
    surfaces = [surface_of(files[k]) for k in arguments.frames]
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(8)
    count = len(surfaces)
    window.SetSize(arguments.size[0] * count, arguments.size[1])
    camera = vtk.vtkCamera()
    bounds = vtk.vtkBoundingBox()
    for surface in surfaces:
        bounds.AddBounds(surface.GetBounds())
    for k, surface in enumerate(surfaces):
        mapper = vtk.vtkPolyDataMapper()
        mapper.SetInputData(surface)
        actor = vtk.vtkActor()
        actor.SetMapper(mapper)
        actor.GetProperty().SetColor(0.36, 0.56, 0.80)
        if arguments.field:
            point = surface.GetPointData().HasArray(arguments.field)
            (mapper.SetScalarModeToUsePointFieldData if point else mapper.SetScalarModeToUseCellFieldData)()
            mapper.SelectColorArray(arguments.field)
            data = (surface.GetPointData() if point else surface.GetCellData()).GetArray(arguments.field)
            mapper.SetScalarRange(*(arguments.range or data.GetRange(-1)))
            mapper.SetScalarVisibility(True)
        else:
            mapper.ScalarVisibilityOff()
        actor.GetProperty().EdgeVisibilityOn()
        actor.GetProperty().SetEdgeColor(0.2, 0.28, 0.4)
        actor.GetProperty().SetLineWidth(0.5)
        renderer = vtk.vtkRenderer()
        renderer.SetBackground(1, 1, 1)
        renderer.SetViewport(k / count, 0, (k + 1) / count, 1)
        renderer.AddActor(actor)
        renderer.SetActiveCamera(camera)
        window.AddRenderer(renderer)
    centre, length = [0.0] * 3, bounds.GetDiagonalLength()
    bounds.GetCenter(centre)
    camera.SetFocalPoint(*centre)
    if arguments.up == "z":
        camera.SetPosition(centre[0], centre[1] - 2.6 * length, centre[2] + 0.9 * length)
    else:
        camera.SetPosition(centre[0], centre[1] + 0.9 * length, centre[2] + 2.6 * length)
    camera.SetViewUp(0, arguments.up == "y", arguments.up == "z")
    camera.Azimuth(arguments.azimuth)
    camera.Zoom(arguments.zoom)
    camera.SetClippingRange(0.01 * length, 10 * length)
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(arguments.picture)
    writer.SetInputConnection(grab.GetOutputPort())
    writer.Write()


if __name__ == "__main__":
    main()
