/** The parts of Tesseract's WebAssembly build that matter here: the recogniser itself, without files, workers or network. */
declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export interface TessBaseAPI {
    /** 0 if the models of all languages were loaded. */
    Init(dataPath: null, languages: string, engineMode: number): number;
    SetPageSegMode(mode: number): void;
    /** Reads `/input`; 0 if that is an image. */
    SetImageFile(exifOrientation: number, angle: number, upscale: number): number;
    SetSourceResolution(dotsPerInch: number): void;
    /** 0 if it succeeded. */
    Recognize(monitor: null): number;
    GetJSONText(): string;
    Clear(): void;
  }
  export interface Core {
    readonly FS: { writeFile(path: string, content: Uint8Array): void };
    readonly TessBaseAPI: new () => TessBaseAPI;
  }
  function createCore(options: {
    /** Called during recognition, word by word. What it throws, `Recognize` throws. */
    TesseractProgress(percent: number): void;
    print(text: string): void;
    printErr(text: string): void;
  }): Promise<Core>;

  // biome-ignore lint/style/noDefaultExport: what Node makes of a CommonJS module.
  export { createCore as default };
}
