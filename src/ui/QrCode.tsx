import { encode } from 'uqr'

/** The modules of a text's code, with the quiet zone around them. */
export const qrModules = (text: string): boolean[][] => encode(text, { border: 2 }).data

/** The outline of the dark modules, each one wide and high. */
export const qrPath = (modules: readonly (readonly boolean[])[]): string =>
  modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')

/** Dark on light in every theme: cameras expect it so. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const modules = qrModules(text)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      className="size-48 rounded-md"
      shapeRendering="crispEdges"
    >
      <rect width={modules.length} height={modules.length} fill="#fff" />
      <path d={qrPath(modules)} fill="#000" />
    </svg>
  )
}
