import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SiteTheme } from '#posts/site'
import { readTheme } from './internal/build/theme'
import { problemText } from './kit-manifest'
import type { KitManifest } from './kit-manifest'

interface ThemeStyles {
  css: string
  /** Colours of the browser around the page. */
  backgrounds: KitManifest['backgrounds']
}

/** The folder of the themes in an installation. */
export const themesFolder = (root: string): string => join(root, 'themes')

/** The styles of the themes that come with Tilth. */
export class ThemeFiles {
  private readonly read = new Map<SiteTheme, ThemeStyles>()

  constructor(private readonly folder: string) {}

  /** `publication` has none besides `site.css`, whose colours its `theme.json` repeats for teams that copy it. */
  styles(name: SiteTheme): ThemeStyles {
    const known = this.read.get(name)
    if (known) return known
    const styles = name === 'publication' ? noStyles : readStyles(join(this.folder, name))
    this.read.set(name, styles)
    return styles
  }
}

const noStyles: ThemeStyles = { css: '', backgrounds: undefined }

function readStyles(folder: string): ThemeStyles {
  const outcome = readTheme(folder, 'theme/theme.json')
  if (!outcome.done) throw new Error(outcome.problems.map(problemText).join(' '))
  const { css, backgrounds } = outcome.theme
  const sheets = readdirSync(join(folder, 'theme'))
    .filter((name) => name.endsWith('.css'))
    .toSorted()
    .map((name) => readFileSync(join(folder, 'theme', name), 'utf8'))
  return { css: minified([...sheets, css].join('\n')), backgrounds }
}

/** The sheets are Tilth's own: no text in them has two spaces or looks like a comment. */
const minified = (css: string): string =>
  css
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .trim()
