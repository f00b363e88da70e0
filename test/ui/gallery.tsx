import type { ComponentType } from 'react'
import { UiProvider } from '#ui/UiProvider'
import { GalleryChartEdges, GalleryCharts } from './GalleryCharts'
import { GalleryPage } from './GalleryPage'
import { Buttons, Fields, GalleryParts, Layers, Tables, Views } from './GalleryParts'

/** Every part of the interface, for looking at and for testing: all of them, some, and as a page would use them. */
export const galleries = {
  parts: GalleryParts,
  buttons: Buttons,
  fields: Fields,
  layers: Layers,
  views: Views,
  tables: Tables,
  charts: GalleryCharts,
  'chart-edges': GalleryChartEdges,
  page: GalleryPage,
} satisfies Record<string, ComponentType>

export type GalleryName = keyof typeof galleries

export function Gallery({ name, nonce }: { name: GalleryName; nonce: string }) {
  const Shown = galleries[name]
  return (
    <UiProvider nonce={nonce}>
      <Shown />
    </UiProvider>
  )
}
