/** What a terminal has that does not know its width: `stty` and some containers say 0. */
const columnsDefault = 80;

/** The width of a terminal in cells, never zero. */
export function terminalColumns({ columns = 0 }: { columns?: number | undefined }): number {
  return columns > 0 ? columns : columnsDefault;
}
