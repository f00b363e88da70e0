export { metadata, NewProjectPage as default } from '#studio/projects/NewProjectPage'
