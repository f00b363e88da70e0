export { metadata, ProgrammePage as default } from '#studio/experiments/programme/ProgrammePage'
