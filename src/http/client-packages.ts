import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answerJson } from './json-response'
import { securityHeaders } from './security-headers'
import type { Exchange } from './trusted-request'

/** The address of the packages for apps: /_tilth/packages/react.tgz, or react-0.1.0.tgz. */
export const clientPackagesPath = '/_tilth/packages'

/** The packages for apps, as npm installs them from this Tilth. */
export interface ClientPackages {
  /** The names of the packages of this version. */
  names: readonly string[]
  /** Returns the file of an address's last part: `react.tgz` of this version, or `react-0.1.0.tgz` of that one. */
  contentOf: (name: string) => Buffer | undefined
}

/**
 * Opens the packages that the build made. Those of earlier versions stay in `kept`: an app's lock file names the version
 * that it was installed from, also after an update of Tilth. `onUnkept` hears why they could not be kept.
 */
export function openClientPackages(
  built: string,
  kept: string,
  onUnkept: (problem: unknown) => void,
): ClientPackages {
  const files = filesIn(built)
  const paths = new Map([
    ...keptFiles().map((file) => [file, join(kept, file)] as const),
    ...files.flatMap((file) =>
      [file, `${nameOf(file)}.tgz`].map((name) => [name, join(built, file)] as const),
    ),
  ])
  return {
    names: files.map(nameOf),
    contentOf(name) {
      const path = paths.get(name)
      return path === undefined ? undefined : readFileSync(path)
    },
  }

  function keptFiles(): string[] {
    try {
      keep(files, built, kept)
      return filesIn(kept)
    } catch (problem) {
      onUnkept(problem)
      return []
    }
  }
}

/** Writes only what is new, since a start may find the disk full. A build of the same version replaces the one before. */
function keep(files: readonly string[], built: string, kept: string): void {
  mkdirSync(kept, { recursive: true })
  for (const file of files) {
    const content = readFileSync(join(built, file))
    const path = join(kept, file)
    if (!existsSync(path) || !readFileSync(path).equals(content)) writeFileSync(path, content)
  }
}

const filesIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => /^[a-z]+-\d+\.\d+\.\d+\.tgz$/.test(file))
        .sort()
    : []

const nameOf = (file: string): string => file.slice(0, file.indexOf('-'))

/** Answers with the package that the path names. */
export function serveClientPackage(
  { request: { method }, response, trustedRequest: { path } }: Exchange,
  { clientPackages: { names, contentOf } }: { clientPackages: ClientPackages },
): void {
  const content = contentOf(path.slice(clientPackagesPath.length + 1))
  if (!content) {
    const known = names.map((name) => `${name}.tgz`).join(', ')
    return answerJson(response, 404, { error: `Unknown package. This Tilth has ${known}.` })
  }
  response.writeHead(200, {
    ...securityHeaders,
    'content-type': 'application/gzip',
    'content-length': content.length,
    // an update of Tilth changes what a name without a version stands for
    'cache-control': 'public, max-age=300',
  })
  response.end(method === 'HEAD' ? undefined : content)
}
