import type { Feature, Geometry } from 'geojson'
import { geoEqualEarth, geoPath, type GeoProjection } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import atlas from 'world-atlas/countries-110m.json' with { type: 'json' }
import { codeByNumber, dots } from './countries'
import { OutlinePen } from './outline'

/** The size of the drawing: the world without Antarctica. */
export const world = { width: 1920, height: 880 }

/** A country as drawn: its outline or its dot, and its middle. */
export type CountryShape = { code: string; path: string; x: number; y: number; isDot: boolean }

/** Drawn once per process, when the first map is. */
let cachedCountries: ReadonlyMap<string, CountryShape> | undefined

export function countries(): ReadonlyMap<string, CountryShape> {
  cachedCountries ??= new Map([...outlines(), ...smallCountries()].map((country) => [country.code, country]))
  return cachedCountries
}

// The atlas is what this package describes; JSON itself has no types.
const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>

type GeoShape = Feature<Geometry, { name: string }>

const shapes = (): GeoShape[] =>
  topology.objects.countries.geometries.flatMap((geometry) => {
    const shape = feature(topology, geometry)
    return shape.type === 'Feature' ? [shape] : []
  })

function outlines(): CountryShape[] {
  const project = projection()
  const pen = new OutlinePen()
  const [draw, measure] = [geoPath(project, pen), geoPath(project)]
  return shapes().flatMap((shape) => {
    if (shape.id === antarctica) return []
    draw(shape)
    const path = pen.take()
    if (!path) return []
    const [x, y] = measure.centroid(largestPart(shape, project))
    return [{ code: codeOf(shape), path, x: Math.round(x), y: Math.round(y), isDot: false }]
  })
}

const antarctica = '010'

/** A territory without a code is drawn as land and never has visitors. */
const codeOf = ({ id, properties }: GeoShape): string =>
  properties.name === 'Kosovo' ? 'XK' : (codeByNumber.get(String(id)) ?? properties.name)

/** The middle of France is not in the sea, though it has parts beyond it. */
function largestPart(shape: GeoShape, project: GeoProjection): GeoShape {
  if (shape.geometry.type !== 'MultiPolygon') return shape
  const area = geoPath(project)
  const parts = shape.geometry.coordinates.map((coordinates) => ({ type: 'Polygon' as const, coordinates }))
  const [largest = shape.geometry] = parts.toSorted((one, other) => area.area(other) - area.area(one))
  return { ...shape, geometry: largest }
}

function smallCountries(): CountryShape[] {
  const project = projection()
  return Object.entries(dots).flatMap(([code, [longitude, latitude]]) => {
    const [x, y] = project([longitude, latitude]) ?? [NaN, NaN]
    if (Number.isNaN(x)) return []
    return [
      { code, path: dotAt(Math.round(x), Math.round(y)), x: Math.round(x), y: Math.round(y), isDot: true },
    ]
  })
}

const dotAt = (x: number, y: number): string => `M${x - 6},${y}a6,6 0 1,0 12,0a6,6 0 1,0 -12,0z`

/** As large as what is drawn allows, with the Bering Strait at the edges. */
function projection(): GeoProjection {
  const features: Feature[] = shapes().filter(({ id }) => id !== antarctica)
  const islands = Object.values(dots).map(([longitude, latitude]) => [longitude, latitude])
  features.push({ type: 'Feature', properties: {}, geometry: { type: 'MultiPoint', coordinates: islands } })
  const corners: [[number, number], [number, number]] = [
    [edge, edge],
    [world.width - edge, world.height - edge],
  ]
  return geoEqualEarth().rotate([-11, 0]).fitExtent(corners, { type: 'FeatureCollection', features })
}

const edge = 8
