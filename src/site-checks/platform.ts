/** Signs in a page of the program that made it. */
export interface PlatformTraces {
  /** The content of `<meta name="generator">`. */
  generator: string
  /** The addresses of its scripts, style sheets and pictures. */
  assets: readonly string[]
}

interface PlatformRule {
  label: string
  /** The place for a script in the head of every page. */
  place: string
  generator?: RegExp
  asset?: RegExp
}

/** Platforms by what their pages have, the most particular first. */
export const platforms = {
  shopify: {
    label: 'Shopify',
    place: 'Online Store → Themes → Edit code → layout/theme.liquid, before </head>',
    asset: /^(?:https?:)?\/\/cdn\.shopify\.com\/|\/cdn\/shop\//,
  },
  webflow: {
    label: 'Webflow',
    place: 'Site settings → Custom code → Head code',
    generator: /^Webflow/i,
  },
  ghost: { label: 'Ghost', place: 'Settings → Code injection → Site header', generator: /^Ghost/i },
  wordpress: {
    label: 'WordPress',
    place: 'header.php of the theme, before </head>, or a plug-in for code in the head',
    generator: /^WordPress/i,
    asset: /\/wp-(?:content|includes)\//,
  },
  next: {
    label: 'Next.js',
    place: 'the <head> of app/layout.tsx, or of pages/_document.tsx',
    generator: /^Next\.js/i,
    asset: /\/_next\/static\//,
  },
} satisfies Record<string, PlatformRule>

export type PlatformName = keyof typeof platforms

export function platformOf({ generator, assets }: PlatformTraces): PlatformName | undefined {
  const found = Object.entries<PlatformRule>(platforms).find(
    ([, rule]) =>
      (rule.generator?.test(generator) ?? false) || assets.some((asset) => rule.asset?.test(asset)),
  )
  // the names of the entries are those of the table
  return found?.[0] as PlatformName | undefined
}
