import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type Entry, openPromise, type ZipFile } from 'yauzl'
import { UnreadableFileError } from '../limits'

/** A file within a zip archive. */
export interface ArchivedFile {
  name: string
  content: () => AsyncGenerator<Uint8Array>
}

const mostEntries = 100_000
const mostDirectoryBytes = 64 * 1024 ** 2

/**
 * Lists the files of an archive by its directory, which is read first and as a whole. Names are labels and never paths, so
 * none of them is refused; the checksum of a file says more than its size.
 */
export async function* filesInZip(path: string, name: string): AsyncGenerator<ArchivedFile> {
  const archive = await openPromise(path, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch((problem) => Promise.reject(explained(problem, name)))
  try {
    for (const entry of await entriesOf(archive, path, name)) {
      const entryName = entry.fileNameRaw.toString('utf8')
      if (entryName.endsWith('/')) continue
      yield { name: entryName, content: () => unpack(archive, entry, `${name}/${entryName}`) }
    }
  } finally {
    archive.close()
  }
}

async function entriesOf(archive: ZipFile, path: string, name: string): Promise<Entry[]> {
  const entries: Entry[] = []
  let directoryBytes = 0
  const file = await open(path)
  try {
    await countOn(archive, file)
    for await (const entry of archive.eachEntry()) {
      await countOn(archive, file)
      directoryBytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (directoryBytes > mostDirectoryBytes) throw damaged(name)
      if (entries.push(entry) > mostEntries)
        throw new UnreadableFileError(`${name} holds more than ${mostEntries.toLocaleString('en')} files.`)
    }
  } catch (problem) {
    throw explained(problem, name)
  } finally {
    await file.close()
  }
  return entries
}

/**
 * Without zip64 the number of entries has 16 bits, and some programs let it wrap. So the list goes on where another entry
 * follows the last one that was counted.
 */
async function countOn(archive: ZipFile, file: FileHandle): Promise<void> {
  if (archive.entriesRead < archive.entryCount) return
  // a number, which the package's types call a boolean
  const position = Number(archive.readEntryCursor)
  const { buffer } = await file.read(Buffer.alloc(entrySignature.length), { position })
  if (buffer.equals(entrySignature)) archive.entryCount += 2 ** 16
}

const entrySignature = Buffer.from('PK\x01\x02')

async function* unpack(archive: ZipFile, entry: Entry, name: string): AsyncGenerator<Uint8Array> {
  if (!entry.canDecodeFileData())
    throw new UnreadableFileError(`${name} is packed in a way that cannot be read. Pack it with deflate.`)
  let sum = 0
  try {
    for await (const part of await archive.openReadStreamPromise(entry)) {
      sum = crc32(part, sum)
      yield part
    }
  } catch (problem) {
    throw explained(problem, name)
  }
  // deflate alone does not notice that bytes of it were changed
  if (sum !== entry.crc32)
    throw new UnreadableFileError(
      `${name} is cut or damaged: it cannot be unpacked to its end. Download it again.`,
    )
}

/** The package’s own errors have no code; those of the disk and of zlib pass unchanged. */
const explained = (problem: unknown, name: string): unknown =>
  problem instanceof UnreadableFileError || (problem instanceof Error && 'code' in problem)
    ? problem
    : damaged(name)

const damaged = (name: string) =>
  new UnreadableFileError(`${name} is cut or damaged: its list of files cannot be read. Download it again.`)
