import localFont from 'next/font/local'

/** Fetched with the page, for the letters of most; site.css has it for those of all others, too. */
export const inter = localFont({
  src: '../../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  variable: '--font-inter',
  weight: '100 900',
  display: 'swap',
  // site.css stretches another typeface to its measures, behind the letters of other scripts
  adjustFontFallback: false,
  fallback: [],
})
