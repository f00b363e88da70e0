export { generateMetadata, NotesPage as default } from '#studio/experiments/notes/NotesPage'
