'use client'

import { Download } from 'lucide-react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { QrCode, qrModules, qrPath } from '#ui/QrCode'

/** The code of an address for posters and slides, as a drawing or a picture. */
export function DownloadableQrCode({ text, name }: { text: string; name: string }) {
  return (
    <div className="flex flex-wrap items-end gap-4">
      <QrCode text={text} label={`QR code of ${text}`} />
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          icon={<Icon of={Download} />}
          onClick={() => save(new Blob([svgOf(text)], { type: 'image/svg+xml' }), `${name}.svg`)}
        >
          QR code as SVG
        </Button>
        <Button size="sm" icon={<Icon of={Download} />} onClick={() => void savePng(text, `${name}.png`)}>
          QR code as PNG
        </Button>
      </div>
    </div>
  )
}

function svgOf(text: string): string {
  const modules = qrModules(text)
  const { length } = modules
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${length} ${length}" width="1024" height="1024" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${length}v${length}H0z"/><path d="${qrPath(modules)}"/></svg>\n`
}

/** Wide enough for print. */
const leastPixels = 1024

async function savePng(text: string, name: string): Promise<void> {
  const modules = qrModules(text)
  const scale = Math.ceil(leastPixels / modules.length)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = modules.length * scale
  const context = canvas.getContext('2d')
  if (!context) return
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#000'
  for (const [y, row] of modules.entries())
    for (const [x, isDark] of row.entries()) if (isDark) context.fillRect(x * scale, y * scale, scale, scale)
  const file = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
  if (file) save(file, name)
}

function save(file: Blob, name: string): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(file)
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(anchor.href)
}
