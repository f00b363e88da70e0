import { svgOfChart } from './chart-to-svg'

/**
 * Saves what a chart looks like now, in the colours it has now. `false` when nothing is drawn, because its table is
 * shown in its place.
 */
export async function saveSvg(chart: HTMLElement, name: string): Promise<boolean> {
  const drawing = svgOfChart(chart)
  if (!drawing) return false
  download(new Blob([written(drawing)], { type: 'image/svg+xml' }), `${name}.svg`)
  return true
}

const sharpness = 2

export async function savePng(chart: HTMLElement, name: string): Promise<boolean> {
  const drawing = svgOfChart(chart)
  const png = drawing && (await painted(drawing))
  if (!png) return false
  download(png, `${name}.png`)
  return true
}

/** Strokes that do not scale with their shapes do not scale with the canvas either. */
function thicken(drawing: SVGSVGElement) {
  for (const stroke of drawing.querySelectorAll('[vector-effect=non-scaling-stroke]')) {
    for (const name of ['stroke-width', 'stroke-dasharray']) {
      const lengths = stroke.getAttribute(name) ?? ''
      stroke.setAttribute(
        name,
        lengths.replaceAll(/[\d.]+/g, (length) => `${Number(length) * sharpness}`),
      )
    }
  }
}

const written = (drawing: SVGSVGElement): string => new XMLSerializer().serializeToString(drawing)

async function painted(drawing: SVGSVGElement): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = Number(drawing.getAttribute('width')) * sharpness
  canvas.height = Number(drawing.getAttribute('height')) * sharpness
  thicken(drawing)
  const image = new Image()
  // A data address, because the policy of a page need not allow images from blobs.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(written(drawing))}`
  await image.decode()
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

function download(blob: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name.replaceAll(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 100)
  link.click()
  // The download has its own hold on the blob once it has begun, which is after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
}
